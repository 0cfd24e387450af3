import { Camera, CreditCard, Landmark } from 'lucide-react'
import type { FormEvent } from 'react'
import type { Brand } from '#domain/brands.ts'
import { expirationRequired, photosRequired } from '#domain/card.ts'
import type { Quote, QuoteProblem } from '#domain/quote.ts'
import { AmountField } from '#web/cards/AmountField.tsx'
import { HeldUntil } from '#web/cards/HeldUntil.tsx'
import { QuoteFigure } from '#web/cards/QuoteFigure.tsx'
import type { RateChange } from '#web/cards/rate-change.ts'
import { Button, ButtonLink } from '#web/kit/Button.tsx'
import { Panel } from '#web/kit/Panel.tsx'
import { paths, pathTo } from '#web/words/paths.ts'
import { useWords } from '#web/words/words.ts'
import { RateNotice } from './CardNotice.tsx'

export function QuoteStep({
  brand,
  value,
  onValue,
  quote,
  problem,
  rateChange,
  resubmissionOf,
  onContinue,
}: QuoteStepProps) {
  const t = useWords()
  function submit(event: FormEvent) {
    event.preventDefault()
    if (quote) onContinue()
  }
  return (
    <div className="grid grid-cols-1 items-start gap-10 lg:grid-cols-[minmax(0,36rem)_minmax(0,1fr)] lg:gap-16">
      <Panel aria-label={t('sellCard.yourQuote')}>
        <form noValidate onSubmit={submit} className="grid grid-cols-1 gap-6">
          <AmountField value={value} onChange={onValue} brand={brand} problem={problem} />
          {rateChange && <RateNotice change={rateChange} quote={quote} />}
          <QuoteFigure brand={brand} quote={quote} />
          {quote && !rateChange && <HeldUntil />}
          <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-between">
            <ButtonLink to={leaveTo(resubmissionOf)} variant="secondary" size="lg">
              {t('sellCard.back')}
            </ButtonLink>
            <Button type="submit" size="lg" disabled={!quote} className="wrap-anywhere">
              {t('sellCard.continue')}
            </Button>
          </div>
        </form>
      </Panel>
      {/* A rejected card says what is left to do. */}
      {!resubmissionOf && <HaveReady brands={[brand.value]} />}
    </div>
  )
}

interface QuoteStepProps {
  brand: Brand
  value: string
  onValue: (value: string) => void
  quote: Quote | undefined
  problem: QuoteProblem | undefined
  rateChange: RateChange | undefined
  /** The rejected submission of the same card. */
  resubmissionOf: string | undefined
  onContinue: () => void
}

/** Where Back and Cancel lead. */
export const leaveTo = (resubmissionOf: string | undefined): string =>
  resubmissionOf ? pathTo('accountCard', { id: resubmissionOf }) : paths.getQuote

/**
 * What the next step asks for, so that sellers can get their cards first.
 * @param brands slugs, one of each card
 */
export function HaveReady({ brands }: { brands: readonly string[] }) {
  const t = useWords()
  const count = brands.length
  const bothSides = brands.some((brand) => photosRequired(brand, 'physical') === 2)
  const items = [
    {
      icon: CreditCard,
      title: t(brands.some(expirationRequired) ? 'sellCard.ready.numberAndDate' : 'sellCard.ready.number', {
        count,
      }),
      text: t('sellCard.ready.pin', { count }),
    },
    {
      icon: Camera,
      title: t(bothSides ? 'sellCard.ready.bothSides' : 'sellCard.ready.photo', { count }),
      text: t(bothSides ? 'sellCard.ready.bothSides.text' : 'sellCard.ready.photo.text'),
    },
    { icon: Landmark, title: t('sellCard.ready.payout'), text: t('sellCard.ready.payout.text') },
  ]
  return (
    <section aria-labelledby="have-ready" className="grid gap-5 lg:pt-7">
      <h2 id="have-ready" className="text-xl">
        {t('sellCard.ready')}
      </h2>
      <ul className="grid gap-5">
        {items.map(({ icon: Icon, title, text }) => (
          <li key={title} className="grid grid-cols-[1.5rem_1fr] gap-4">
            <Icon aria-hidden="true" className="mt-0.5 size-6 text-accent" />
            <div>
              <p className="font-medium">{title}</p>
              <p className="text-soft">{text}</p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}
