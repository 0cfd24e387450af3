import { faqCopy } from '#web/words/faq.ts'
import { helpCopy, type Topic } from '#web/words/help.ts'
import { paths } from '#web/words/paths.ts'

/** What is searched: the topics, then the questions with their answers. */
const all: readonly Topic[] = [
  ...helpCopy.groups.flatMap(({ topics }) => topics),
  ...faqCopy.questions.map(({ id, question, answer }) => ({
    title: question,
    text: answer.join(' '),
    to: `${paths.faq}#${id}`,
  })),
]

/** Entries that contain every word, in any case and order. Matches in the title come first. */
export function findHelp(search: string, entries: readonly Topic[] = all): Topic[] {
  const words = plain(search).split(' ').filter(Boolean)
  if (words.length === 0) return []
  const matches = (text: string) => words.every((word) => plain(text).includes(word))
  const found = entries.filter(({ title, text }) => matches(`${title} ${text}`))
  const byTitle = found.filter(({ title }) => matches(title))
  return [...byTitle, ...found.filter((entry) => !byTitle.includes(entry))]
}

/** Lower case, single spaces, and straight apostrophes, because people do not type curly ones. */
function plain(text: string): string {
  return text.toLowerCase().replaceAll('’', "'").replace(/\s+/g, ' ').trim()
}
