import { paths } from '#web/words/paths.ts'
import type { Translate } from '#words/translate.ts'
import { answerTo, questionIds } from './questions.ts'
import { topicGroups } from './topics.ts'

/** A topic or a question, in the language of the page. */
export interface HelpEntry {
  readonly title: string
  readonly text: string
  readonly to: string
}

/** What is searched: the topics, then the questions with their answers. */
export function helpEntries(t: Translate): HelpEntry[] {
  return [
    ...topicGroups.flatMap(({ topics }) =>
      topics.map(({ title, text, to }) => ({ title: t(title), text: t(text), to })),
    ),
    ...questionIds.map((id) => ({
      title: t(`faq.${id}.question`),
      text: answerTo(id, t),
      to: `${paths.faq}#${id}`,
    })),
  ]
}

/** Entries that contain every word, in any case and order. Matches in the title come first. */
export function findHelp(search: string, entries: readonly HelpEntry[]): HelpEntry[] {
  const words = plain(search).split(' ').filter(Boolean)
  if (words.length === 0) return []
  const matches = (text: string) => words.every((word) => plain(text).includes(word))
  const found = entries.filter(({ title, text }) => matches(`${title} ${text}`))
  const byTitle = found.filter(({ title }) => matches(title))
  return [...byTitle, ...found.filter((entry) => !byTitle.includes(entry))]
}

/** Lower case, without accents, single spaces, and straight apostrophes, because people type it that way. */
function plain(text: string): string {
  const bare = text.normalize('NFD').replace(/\p{Diacritic}/gu, '')
  return bare.toLowerCase().replaceAll('’', "'").replace(/\s+/g, ' ').trim()
}
