import { type ReasonCategory, reasonCategories } from '#domain/reasons.ts'

/** The reasons in which every typed word begins a word of the reason or of its category. */
export function findReasons(typed: string): ReasonCategory[] {
  const wanted = wordsOf(typed)
  return reasonCategories
    .map((category) => ({
      ...category,
      reasons: category.reasons.filter(({ text }) => {
        const words = wordsOf(`${category.name} ${text}`)
        return wanted.every((begin) => words.some((word) => word.startsWith(begin)))
      }),
    }))
    .filter(({ reasons }) => reasons.length > 0)
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}
