import { type ReactNode, Suspense, useState } from 'react'
import { inDollars, parseDollars, toDecimal, toPlainDollars, toShortDollars } from '#domain/money.ts'
import type { Quote } from '#domain/quote.ts'
import { AmountCard } from '#web/cards/AmountCard.tsx'
import { Button, ButtonLink } from '#web/kit/Button.tsx'
import { cx } from '#web/kit/cx.ts'
import { lazyComponent } from '#web/kit/lazy-component.ts'
import { Panel } from '#web/kit/Panel.tsx'
import { SelectField } from '#web/kit/SelectField.tsx'
import { TextField } from '#web/kit/TextField.tsx'
import { useTypedEarly } from '#web/kit/use-typed-early.ts'
import { pathTo } from '#web/words/paths.ts'
import { useWords } from '#web/words/words.ts'
import { examples, otherPopularBrands, samples } from './samples.ts'

// Most visits only read the example. The catalog and the rule come with the first touch.
const QuickQuote = lazyComponent(() => import('./QuickQuote.tsx').then((module) => module.QuickQuote))

const [first] = examples
const firstQuote: ShownQuote = {
  brand: { value: first.slug, name: first.brand },
  faceValue: parseDollars(first.faceValue) ?? 0,
  pays: parseDollars(first.pays) ?? 0,
  rate: 9_300,
}

const choices = [...samples, ...otherPopularBrands].map(({ name, slug }) => ({ value: slug, label: name }))

/** A quote for a popular brand. Begins with an example of the spec, which can be read before any script arrives. */
export function QuickCalculator({ onTyped }: { onTyped: (card: Card) => void }) {
  const t = useWords()
  const [card, setCard] = useState<Card>({ slug: first.slug, value: first.faceValue })
  const [isTouched, setTouched] = useState(false)
  function change(part: Partial<Card>) {
    setTouched(true)
    setCard((before) => ({ ...before, ...part }))
    onTyped({ ...card, ...part })
  }
  const brand = useTypedEarly<HTMLSelectElement>((slug) => slug !== card.slug && change({ slug }))
  const amount = useTypedEarly((value) => value !== card.value && change({ value }))
  return (
    <Panel
      aria-labelledby="quick-values"
      className="grid gap-4 shadow-raised"
      onPointerEnter={QuickQuote.prefetch}
      onFocus={QuickQuote.prefetch}
    >
      <h2 id="quick-values" className="font-semibold text-lg">
        {t('landing.quickValues.title')}
      </h2>
      <div className="grid grid-cols-2 gap-3">
        <SelectField
          ref={brand}
          label={t('landing.quickValues.brand')}
          choices={choices}
          value={card.slug}
          onChange={(event) => change({ slug: event.currentTarget.value })}
        />
        <TextField
          ref={amount}
          label={t('landing.quickValues.value')}
          inputMode="decimal"
          autoComplete="off"
          placeholder="0.00"
          prefix="$"
          value={card.value}
          onChange={(event) => change({ value: event.currentTarget.value })}
          onFocus={(event) => event.currentTarget.select()}
          className="figures"
        />
      </div>
      {isTouched ? (
        <Suspense fallback={<Offer quote={undefined} />}>
          <QuickQuote {...card}>{(quote, problem) => <Offer quote={quote}>{problem}</Offer>}</QuickQuote>
        </Suspense>
      ) : (
        <Offer quote={firstQuote} />
      )}
      <Examples chosen={card} onChoose={change} />
      <p className="border-line border-t pt-4 text-soft text-sm">{t('landing.quickValues.note')}</p>
    </Panel>
  )
}

export interface Card {
  slug: string
  /** Dollars, as typed. */
  value: string
}

type ShownQuote = Pick<Quote, 'faceValue' | 'pays' | 'rate'> & {
  readonly brand: Pick<Quote['brand'], 'name' | 'value'>
}

/** @param children why there is no quote */
function Offer({ quote, children }: { quote: ShownQuote | undefined; children?: ReactNode }) {
  const t = useWords()
  const sell = t('landing.quickValues.sell')
  return (
    <>
      <AmountCard
        amount={quote && toDecimal(quote.pays)}
        label={t('landing.quickValues.youGet')}
        share={quote && quote.rate / 100}
      >
        {quote ? (
          <p className="flex flex-wrap items-baseline justify-between gap-x-4">
            <span className="wrap-anywhere font-semibold">{quote.brand.name}</span>
            {/* Keeps its place when the typeface replaces the device's font. */}
            <span className="figures min-w-21 shrink-0 text-soft text-sm">
              {t('landing.quickValues.rate', { rate: `${toPlainDollars(quote.rate)}%` })}
            </span>
          </p>
        ) : (
          children
        )}
      </AmountCard>
      {quote ? (
        <ButtonLink to={addressOf(quote)} size="lg" wide>
          {sell}
        </ButtonLink>
      ) : (
        <Button size="lg" wide disabled>
          {sell}
        </Button>
      )}
    </>
  )
}

const addressOf = ({ brand, faceValue, pays }: ShownQuote) =>
  pathTo('sellCard', { brand: brand.value, value: toDecimal(faceValue), quote: toDecimal(pays) })

/** The examples as small cards, which fill the calculator. */
function Examples({ chosen, onChoose }: { chosen: Card; onChoose: (card: Card) => void }) {
  const t = useWords()
  return (
    <ul
      className="grid grid-cols-[repeat(auto-fit,minmax(4.5rem,1fr))] gap-2 sm:gap-3"
      aria-label={t('landing.quickValues.examples')}
    >
      {examples.map(({ brand, slug, faceValue, pays, block }) => {
        const isChosen = chosen.slug === slug && Number(chosen.value) === Number(faceValue)
        return (
          <li key={slug} className="grid">
            <button
              type="button"
              aria-pressed={isChosen}
              onClick={() => onChoose({ slug, value: faceValue })}
              className={cx(
                'grid content-between gap-1 overflow-hidden rounded-md border-2 bg-surface text-left',
                isChosen ? 'border-ink' : 'border-control hover:border-ink',
              )}
            >
              <span className="px-2 pt-1.5 font-medium text-sm">
                {brand}
                <span className="figures block font-normal text-soft text-xs">
                  {t('landing.quickValues.card', { amount: toShortDollars(parseDollars(faceValue) ?? 0) })}
                </span>
              </span>
              <span className={cx('bg-gold px-2 py-1 text-on-gold', block)}>
                <span className="sr-only">{t('landing.quickValues.youGet')} </span>
                <span className="figures font-semibold">{inDollars(pays)}</span>
              </span>
            </button>
          </li>
        )
      })}
    </ul>
  )
}
