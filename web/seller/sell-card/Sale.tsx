import { useQuery } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react'
import type { User } from '#contract/accounts.ts'
import { MAX_PHOTO_BYTES, MAX_PHOTOS, PHOTO_ACCEPT } from '#domain/photo-files.ts'
import { type RateChange, rateChangeText } from '#web/cards/rate-change.ts'
import { Button, ButtonLink } from '#web/kit/Button.tsx'
import { cx } from '#web/kit/cx.ts'
import { Notice } from '#web/kit/Notice.tsx'
import { Panel } from '#web/kit/Panel.tsx'
import { type KeptPhoto, usePhotoSets } from '#web/kit/photos/use-photos.ts'
import { useSearchParams } from '#web/kit/router/index.ts'
import { SkeletonRows } from '#web/kit/Skeleton.tsx'
import { toast } from '#web/kit/toast.ts'
import { paths } from '#web/words/paths.ts'
import { translate, useWords } from '#web/words/words.ts'
import type { CardPanel } from './CardPanel.tsx'
import { type Draft, newDraft } from './draft.ts'
import { SubmissionStep } from './SubmissionStep.tsx'
import { UploadProgress } from './SubmitBar.tsx'
import { type CardToSell, isAccepted, progressOf, type SaleEntry } from './sale-entry.ts'
import { type Shelf, shelfOf } from './shelf.ts'
import { type KeptDraft, useDrafts } from './use-drafts.ts'
import { type Answered, codeOf, useSubmissions } from './use-submissions.ts'

/**
 * Two steps: check the quotes, then enter the cards, photos and payout. Holds what the seller enters, so that going back to
 * the quotes loses nothing. A single card is a sale of one.
 */
export function Sale(props: SaleProps) {
  const t = useWords()
  const { data: shelf } = useQuery(shelfOf(props.user.id))
  return shelf ? (
    <KeptSale shelf={shelf} {...props} />
  ) : (
    <SkeletonRows rows={3} label={t('sellCard.again.loading')} />
  )
}

function KeptSale({ shelf, user, saleId, cards, payoutName, start, ...props }: SaleProps & { shelf: Shelf }) {
  const { query, quoteStep, onSent } = props
  const t = useWords()
  const [address, setAddress] = useSearchParams()
  const draftOf = useDrafts(shelf, start?.draft ?? newDraft(user))
  const photosOf = usePhotoSets(limits, {
    start: new Map([[payoutName, start?.photos ?? []], ...shelf.photos]),
    onChange: shelf.keepPhotos,
  })
  const { attemptOf, send } = useSubmissions()
  const payout = draftOf(payoutName)
  const entries = cards.map((card): SaleEntry => {
    const kept = draftOf(card.name, card.key)
    return { ...card, kept, photos: photosOf(card.name), attempt: attemptOf(kept.key) }
  })
  const quoted = entries.flatMap(({ quote, ...entry }) => (quote ? [{ ...entry, quote }] : []))
  // The step is in the address, so a reload stays on it and the browser's Back returns to the quote.
  const step = address.get('step') === '2' && quoted.length === cards.length ? 2 : 1
  const container = useStepStart(step)
  // The server's refusal already says it.
  const changed = entries.find(({ rateChange, attempt }) => rateChange && codeOf(attempt) !== 'quote_changed')
  useAnnouncement(step === 2 ? changed?.rateChange : undefined)

  const isDone = entries.every(isAccepted)
  const finish = useEffectEvent(() => {
    for (const { kept } of [...entries, { kept: payout }]) kept.forget()
    onSent(entries.flatMap(({ attempt }) => (attempt?.state === 'accepted' ? [attempt.answer] : [])))
  })
  useEffect(() => {
    if (isDone) finish()
  }, [isDone])

  const goTo = (next: 1 | 2) =>
    setAddress(next === 2 ? { ...query, step: '2' } : query, { replace: next === 1 })
  const [first] = entries
  if (!saleId && first && codeOf(first.attempt) === 'key_reused') return <AcceptedBefore kept={first.kept} />
  const progress = progressOf(entries)
  return (
    <div ref={container} tabIndex={-1} className="grid grid-cols-1 gap-6 outline-none md:gap-8">
      <Steps current={step} names={[t('sellCard.steps.quote'), t('sellCard.steps.card')]} />
      {step === 2 ? (
        <SubmissionStep
          saleId={saleId}
          CardPanel={props.CardPanel}
          entries={quoted}
          payout={payout}
          send={send}
          progress={progress}
          onBack={() => goTo(1)}
        />
      ) : progress ? (
        // Reached with the browser's Back during the upload, when nothing can be changed.
        <Panel aria-label={t('sellCard.sending')} className="grid max-w-xl gap-3">
          <p className="font-medium">{t('sellCard.sending.text', { count: cards.length })}</p>
          <UploadProgress {...progress} />
        </Panel>
      ) : (
        quoteStep(() => goTo(2))
      )}
    </div>
  )
}

const limits = { max: MAX_PHOTOS, maxBytes: MAX_PHOTO_BYTES, accept: PHOTO_ACCEPT }

interface SaleProps {
  user: User
  /** Undefined for a card that is sold alone. */
  saleId?: string
  /** How several cards fold. Given by their screen, so that the form of one card does not load it. */
  CardPanel?: typeof CardPanel
  cards: readonly CardToSell[]
  /** The name of the draft with the payout, which is the same for all cards. */
  payoutName: string
  /** What a form starts with. */
  start?: SaleStart | undefined
  /** The query of the address. The second step adds to it. */
  query: Record<string, string>
  quoteStep: (goOn: () => void) => ReactNode
  /** Called when the server has accepted every card, with its answers since the page was loaded. */
  onSent: (answers: readonly Answered[]) => void
}

/** A form that is not empty. */
export interface SaleStart {
  draft: Draft
  photos: readonly KeptPhoto[]
  /** The masked number of the rejected card, if its numbers need not be typed again. */
  keptNumber?: string | undefined
  /** The rejected submission had a PIN. */
  pinGiven?: boolean
}

/** Toasts a rate change, because the notice in the long form can be scrolled out of view. */
function useAnnouncement(change: RateChange | undefined): void {
  const { from, to } = change ?? {}
  const announce = useEffectEvent(() => {
    if (!change) return
    toast({
      title: rateChangeText(change),
      description: translate()('sellCard.rateChanged'),
      variant: change.to < change.from ? 'destructive' : 'default',
    })
  })
  // Again for another rate, but not for another language.
  useEffect(() => {
    if (from && to) announce()
  }, [from, to])
}

/** Moves scroll position and focus to the top of a new step. */
function useStepStart(step: number) {
  const container = useRef<HTMLDivElement>(null)
  const shown = useRef(step)
  useEffect(() => {
    if (shown.current === step) return
    shown.current = step
    container.current?.focus({ preventScroll: true })
    window.scrollTo({ top: 0 })
  }, [step])
  return container
}

function Steps({ current, names }: { current: number; names: readonly string[] }) {
  const t = useWords()
  return (
    <ol aria-label={t('sellCard.steps')} className="flex flex-wrap gap-x-3 gap-y-2 sm:gap-x-8">
      {names.map((name, index) => {
        const step = index + 1
        const done = step < current
        return (
          <li
            key={name}
            aria-current={step === current ? 'step' : undefined}
            className={cx('flex items-center gap-2.5', step === current ? 'font-semibold' : 'text-soft')}
          >
            <span
              className={cx(
                'figures grid h-7 w-9 place-items-center rounded-sm border-2 font-semibold text-xs',
                step <= current ? 'border-accent bg-accent text-on-accent' : 'border-control',
              )}
            >
              {done ? <Check aria-hidden="true" className="size-4" /> : step}
            </span>
            <span className={cx(step !== current && 'max-sm:sr-only')}>{name}</span>
            {done && <span className="sr-only">{t('sellCard.steps.done')}</span>}
          </li>
        )
      })}
    </ol>
  )
}

/**
 * The draft's key was already used. Either a response was lost and this is the same card, or the tab was duplicated
 * and this is a different one. Only the seller knows.
 */
function AcceptedBefore({ kept: { forget, renewKey } }: { kept: KeptDraft }) {
  const t = useWords()
  return (
    <div className="grid max-w-xl gap-4">
      <Notice tone="info" title={t('sellCard.acceptedBefore')} urgent>
        {t('sellCard.acceptedBefore.text')}
      </Notice>
      <div className="flex flex-col gap-2 sm:flex-row">
        <ButtonLink to={paths.processing} onClick={forget} size="lg">
          {t('sellCard.acceptedBefore.view')}
        </ButtonLink>
        <Button onClick={renewKey} size="lg" variant="secondary">
          {t('sellCard.acceptedBefore.otherCard')}
        </Button>
      </div>
    </div>
  )
}
