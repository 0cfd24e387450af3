import { parseDollars } from '#domain/money.ts'
import type { ListedCard } from '#web/cards/sale-list.ts'

/**
 * The cards of a list with the submissions of their sale. A submission whose answer was lost is recognized by its brand and
 * value. Cards are sent in order, so of several equal cards the first is meant.
 */
export function matchSubmissions(
  cards: readonly ListedCard[],
  submissions: readonly { id: string; brand: string; denomination: string }[],
): ListedCard[] {
  const known = new Set(cards.map(({ submissionId }) => submissionId))
  const unknown = submissions.filter(({ id }) => !known.has(id))
  return cards.map((card) => {
    if (card.submissionId) return card
    const index = unknown.findIndex(
      ({ brand, denomination }) =>
        brand === card.brand && parseDollars(denomination) === parseDollars(card.value),
    )
    const [found] = index < 0 ? [] : unknown.splice(index, 1)
    return found ? { ...card, submissionId: found.id } : card
  })
}
