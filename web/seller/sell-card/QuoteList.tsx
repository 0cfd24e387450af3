import { X } from 'lucide-react'
import { type FormEvent, useRef } from 'react'
import type { Brand } from '#domain/brands.ts'
import { toDecimal } from '#domain/money.ts'
import type { QuoteResult } from '#domain/quote.ts'
import { MAX_SALE_CARDS } from '#domain/submission-form.ts'
import { BrandTile } from '#web/cards/BrandTile.tsx'
import { type RateChange, RateChanged } from '#web/cards/RateChange.tsx'
import { type ListedCard, removeFromSale, updateListedCard } from '#web/cards/sale-list.ts'
import { cardName } from '#web/cards/text.ts'
import { Button, ButtonLink, IconButton } from '#web/kit/Button.tsx'
import { FieldError } from '#web/kit/Field.tsx'
import { Money } from '#web/kit/Money.tsx'
import { Panel } from '#web/kit/Panel.tsx'
import { toast } from '#web/kit/toast.ts'
import { paths } from '#web/words/paths.ts'
import { useWords } from '#web/words/words.ts'
import { HaveReady } from './QuoteStep.tsx'

/** The quotes of several cards. A changed one is accepted or its card removed before the sale goes on. */
export function QuoteList({ cards, onContinue }: QuoteListProps) {
  const t = useWords()
  const form = useRef<HTMLFormElement>(null)
  const total = cards.reduce((sum, { quote }) => sum + (quote?.pays ?? 0), 0)
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
          <output className="grid gap-1">
            <span className="font-medium text-soft">{t('cards.youGet')}</span>
            <Money amount={toDecimal(total)} size="figure" className="text-accent" />
          </output>
          <ul className="divide-y divide-line border-line border-y">
            {cards.map((row) => (
              <QuoteRow key={row.card.key} {...row} />
            ))}
          </ul>
          <div className="grid gap-2">
            <Button type="submit" size="lg" wide disabled={cards.some(({ quote }) => !quote)}>
              {t('sellCard.continue')}
            </Button>
            {cards.length < MAX_SALE_CARDS ? (
              <ButtonLink to={paths.getQuote} variant="secondary" size="lg" wide>
                {t('sellCard.sale.add')}
              </ButtonLink>
            ) : (
              <p className="text-soft text-sm">{t('sellCard.sale.full', { max: MAX_SALE_CARDS })}</p>
            )}
          </div>
        </form>
      </Panel>
      <HaveReady brands={cards.flatMap(({ brand }) => brand?.value ?? [])} />
    </div>
  )
}

type Row = QuoteResult & {
  card: ListedCard
  brand: Brand | null | undefined
  change?: RateChange | undefined
}

interface QuoteListProps {
  cards: readonly Row[]
  onContinue: () => void
}

function QuoteRow({ card, brand, quote, problem, change }: Row) {
  const t = useWords()
  const name = brand?.name ?? card.brand
  return (
    <li className="grid gap-3 py-3">
      <div className="flex items-center gap-3">
        <BrandTile name={name} size="sm" />
        <div className="grid min-w-0 flex-1">
          <span className="wrap-anywhere font-medium">{name}</span>
          <span className="text-soft text-xs">
            {card.submissionId ? t('sellCard.sale.sent') : <Money amount={card.value} />}
          </span>
        </div>
        {quote && <Money amount={toDecimal(quote.pays)} className="font-semibold" />}
        {!card.submissionId && (
          <IconButton
            label={t('sellCard.sale.remove', { card: cardName(name) })}
            onClick={() => removeFromSale(card.key)}
          >
            <X aria-hidden="true" className="size-5" />
          </IconButton>
        )}
      </div>
      {problem && (
        <FieldError>
          {t(`fields.${problem.code}`, problem.params)} {t('sellCard.sale.tooMuch')}
        </FieldError>
      )}
      {change && (
        <RateChanged
          change={change}
          quote={quote}
          onAccept={() => updateListedCard(card.key, { rate: change.to })}
        />
      )}
    </li>
  )
}
