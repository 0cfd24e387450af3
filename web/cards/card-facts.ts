import type { CardDetails } from '#contract/submissions.ts'
import { cardConditions, cardFormats } from '#domain/card.ts'
import type { Translate } from '#words/translate.ts'

/** What the seller said about a card, for the seller and for staff. Leaves out what was not given. */
export function cardFacts(t: Translate, card: CardDetails) {
  const format = cardFormats.find((known) => known === card.cardFormat)
  const condition = cardConditions.find((known) => known === card.cardCondition)
  const facts = [
    { name: t('sellCard.cardFormat'), value: format && t(`cards.format.${format}`) },
    { name: t('sellCard.cardCondition'), value: condition && t(`cards.condition.${condition}`) },
  ]
  return facts.flatMap(({ name, value }) => (value ? [{ name, value }] : []))
}
