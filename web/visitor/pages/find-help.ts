import { faqCopy } from '#web/words/faq.ts'
import { helpCopy, type Topic } from '#web/words/help.ts'
import { paths } from '#web/words/paths.ts'

/** Everything the search looks at: the topics, then the questions with their whole answers. */
const all: readonly Topic[] = [
  ...helpCopy.groups.flatMap(({ topics }) => topics),
  ...faqCopy.questions.map(({ id, question, answer }) => ({
    title: question,
    text: answer.join(' '),
    to: `${paths.faq}#${id}`,
  })),
]

/** What holds every word of the search, in any case and order; first what holds them in its title. */
export function findHelp(search: string, entries: readonly Topic[] = all): Topic[] {
  const words = plain(search).split(' ').filter(Boolean)
  if (words.length === 0) return []
  const holds = (text: string) => words.every((word) => plain(text).includes(word))
  const found = entries.filter(({ title, text }) => holds(`${title} ${text}`))
  const byTitle = found.filter(({ title }) => holds(title))
  return [...byTitle, ...found.filter((entry) => !byTitle.includes(entry))]
}

/** One case and one kind of blank; people type straight apostrophes, texts have curly ones. */
function plain(text: string): string {
  return text.toLowerCase().replaceAll('’', "'").replace(/\s+/g, ' ').trim()
}
