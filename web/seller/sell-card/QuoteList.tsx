import { type FormEvent, useRef } from 'react'
import { MAX_SALE_CARDS } from '#domain/submission-form.ts'
import { HeldUntil } from '#web/cards/HeldUntil.tsx'
import { ListedCardRow, type ListedRow } from '#web/cards/ListedCardRow.tsx'
import { Button, ButtonLink } from '#web/kit/Button.tsx'
import { Panel } from '#web/kit/Panel.tsx'
import { toast } from '#web/kit/toast.ts'
import { paths } from '#web/words/paths.ts'
import { useWords } from '#web/words/words.ts'
import { HaveReady } from './QuoteStep.tsx'
import { TotalFigure } from './QuoteSummary.tsx'

/** The quotes of several cards. The seller accepts each changed quote, or removes its card, before the sale continues. */
export function QuoteList({ cards, onContinue }: QuoteListProps) {
  const t = useWords()
  const form = useRef<HTMLFormElement>(null)
  const unsent = cards.filter(({ card }) => !card.submissionId)
  function submit(event: FormEvent) {
    event.preventDefault()
    if (!cards.some(({ change }) => change)) return onContinue()
    toast({
      title: t('sellCard.acceptFirst'),
      description: t('sellCard.acceptFirst.text'),
      variant: 'destructive',
    })
    form.current?.querySelector<HTMLElement>('[name=acceptRate]')?.focus()
  }
  return (
    <div className="grid grid-cols-1 items-start gap-10 lg:grid-cols-[minmax(0,36rem)_minmax(0,1fr)] lg:gap-16">
      <Panel aria-label={t('sellCard.yourQuote')}>
        <form ref={form} noValidate onSubmit={submit} className="grid grid-cols-1 gap-6">
          <TotalFigure
            quotes={unsent.flatMap(({ quote }) => quote ?? [])}
            title={t('sellCard.sale.cards', { count: unsent.length })}
          />
          <ul className="divide-y divide-line border-line border-y">
            {cards.map((row) => (
              <ListedCardRow key={row.card.key} {...row} />
            ))}
          </ul>
          {!cards.some(({ change }) => change) && <HeldUntil count={unsent.length} />}
          <div className="grid gap-2">
            <Button type="submit" size="lg" wide disabled={cards.some(({ quote }) => !quote)}>
              {t('sellCard.continue')}
            </Button>
            {cards.length < MAX_SALE_CARDS ? (
              <ButtonLink to={paths.getQuote} variant="secondary" size="lg" wide>
                {t('cards.sale.add')}
              </ButtonLink>
            ) : (
              <p className="text-soft text-sm">{t('cards.sale.full', { max: MAX_SALE_CARDS })}</p>
            )}
          </div>
        </form>
      </Panel>
      <HaveReady brands={unsent.flatMap(({ brand }) => brand?.value ?? [])} />
    </div>
  )
}

interface QuoteListProps {
  cards: readonly ListedRow[]
  onContinue: () => void
}
