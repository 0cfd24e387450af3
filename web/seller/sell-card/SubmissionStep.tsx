import { ArrowLeft } from 'lucide-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { fieldText } from '#contract/field-errors.ts'
import { hasExpired } from '#domain/card.ts'
import { comparedNumber } from '#domain/card-number.ts'
import { toShortDollars } from '#domain/money.ts'
import type { Quote } from '#domain/quote.ts'
import { type SubmissionField, type SubmissionProblem, submissionProblems } from '#domain/submission-form.ts'
import { HeldUntil } from '#web/cards/HeldUntil.tsx'
import { Button } from '#web/kit/Button.tsx'
import { Notice } from '#web/kit/Notice.tsx'
import { Panel } from '#web/kit/Panel.tsx'
import { rejectionText } from '#web/kit/photos/use-photos.ts'
import { dismissToast, toast } from '#web/kit/toast.ts'
import { useWords } from '#web/words/words.ts'
import { useRoutingWarning } from '../AccountFields.tsx'
import { CardFields } from './CardFields.tsx'
import { CardNotice } from './CardNotice.tsx'
import type { CardPanel as CardPanelType } from './CardPanel.tsx'
import { type Draft, isPayoutField, labelsOf, withPayout } from './draft.ts'
import { Payout, useSavedMethods } from './Payout.tsx'
import { leaveTo } from './QuoteStep.tsx'
import { QuoteSummary } from './QuoteSummary.tsx'
import { SubmitBar } from './SubmitBar.tsx'
import {
  balanceOf,
  isAccepted,
  losesPin,
  OPEN_CARD,
  priceOf,
  type QuotedEntry,
  type SaleEntry,
  type UploadState,
} from './sale-entry.ts'
import { problemToast, submitLabel } from './submission-words.ts'
import type { KeptDraft } from './use-drafts.ts'
import { refusalsOf, type useSubmissions } from './use-submissions.ts'

/** The form. Several cards fold, so that one is open at a time. */
export function SubmissionStep({
  saleId,
  CardPanel,
  entries,
  payout,
  send,
  progress,
  onBack,
}: SubmissionStepProps) {
  const t = useWords()
  const left = entries.filter((entry) => !isAccepted(entry))
  const isSending = progress !== undefined
  const [chosen, setOpen] = useState(isSending ? undefined : left[0]?.name)
  // If only its answer was lost, the open card turns out to be submitted. The next one to correct opens instead.
  const isStale = chosen !== undefined && !left.some(({ name }) => name === chosen)
  const open = isStale ? left.find(hasFailed)?.name : chosen
  /** What the seller has tried to finish: cards by name, the payout, and its type, because other types have other fields. */
  const [tried, setTried] = useState<readonly string[]>([])
  /** The fields that the seller has filled in and left. */
  const [leftFields, setLeftFields] = useState<ReadonlySet<string>>(new Set())
  const [isPinAsked, setPinAsked] = useState(false)
  /** Cards and expiration dates that have stopped a submission: it passes the second time. */
  const [warnedDates, setWarnedDates] = useState<readonly string[]>([])
  const routingWarning = useRoutingWarning()
  const only = entries.length === 1 ? entries[0] : undefined
  const { methods, chosen: savedMethod } = useSavedMethods(payout.draft)
  const form = useRef<HTMLFormElement>(null)
  const complaint = useRef<number>(undefined)
  useEffect(() => {
    // The focused element disappeared with the form of the card that is being sent.
    if (!isStale || !document.activeElement?.matches('body, :disabled')) return
    const rows = [...(form.current?.querySelectorAll<HTMLButtonElement>('h2 > button:enabled') ?? [])]
    const next = rows.find(({ name }) => name === OPEN_CARD) ?? rows[0]
    next?.focus()
  }, [isStale])

  const filledIn = (entry: QuotedEntry) => ({
    ...withPayout(entry.kept.draft, payout.draft),
    brand: entry.quote.brand.value,
    balance: balanceOf(entry),
    keepsNumbers: entry.keptNumber !== undefined,
    photos: entry.photos.photos.length,
    lacksNewPhoto: entry.photos.photos.every(({ earlier }) => earlier),
    paymentType: payout.draft.paymentType || undefined,
  })
  const problemsOf = (entry: QuotedEntry) =>
    // A saved method replaces the payout fields.
    submissionProblems(filledIn(entry)).filter(({ field }) => !(savedMethod && isPayoutField(field)))
  const isOfCard = ({ field }: SubmissionProblem) => !isPayoutField(field)
  const problems = left.flatMap((entry) => problemsOf(entry).map((problem) => ({ entry, problem })))
  const unready = left.filter((entry) => entry.rateChange || problemsOf(entry).some(isOfCard))
  // Cards that are not finished can be sent later. Without a finished one, all of them say what is missing.
  const ready = unready.length < left.length ? left.filter((entry) => !unready.includes(entry)) : left
  /** What the button submits, or what is being sent. */
  const going = isSending
    ? entries.filter(({ attempt }) => attempt !== undefined && attempt.state !== 'failed')
    : ready
  const isPreparing = ready.some(({ photos }) => photos.preparing)
  const payoutProblems = problems.flatMap(({ problem }) => (isOfCard(problem) ? [] : [problem]))

  /** A wrong text is a problem once its field is left, a missing one after the first attempt to finish the form. */
  function errorAt(entries: readonly QuotedEntry[], name: string) {
    return (field: SubmissionField | keyof Draft): string | undefined => {
      const problem = entries.flatMap(problemsOf).find((candidate) => candidate.field === field)
      const isNew =
        !tried.includes(payout.draft.paymentType) && (field in bankCodes || field === 'paymentAccountInfo')
      const isKnown =
        (tried.includes(name) && !isNew) || (problem?.kind === 'invalid' && leftFields.has(field))
      if (isKnown && problem) return t(`fields.${bankCodes[field] ?? problem.code}`, problem.params)
      if (field === 'paymentRoutingNumber' && routingWarning.warned === payout.draft[field])
        return t('fields.routing_number_doubtful')
      return refusalAt(entries, field)
    }
  }
  function refusalAt(entries: readonly QuotedEntry[], field: string): string | undefined {
    const refused = entries
      .flatMap(({ attempt }) => (attempt?.state === 'failed' ? refusalsOf(attempt.error) : []))
      .find(({ path }) => path === field)
    return refused && (fieldText(t, refused) ?? refused.message)
  }
  /** Why photos of a card were not added, or not accepted by the server. */
  const photoProblem = (entry: QuotedEntry) =>
    refusalAt([entry], 'images') ??
    (entry.photos.rejected && rejectionText(t, entry.photos.rejected, entry.photos.limits))

  /** Opens a card and focuses a field, or else the card. */
  function goTo(entry: QuotedEntry | undefined, field: string = OPEN_CARD) {
    // Before focusing, because a folded card has no fields.
    if (entry && !isPayoutField(field)) flushSync(() => setOpen(entry.name))
    const control = form.current?.querySelector<HTMLElement>(`[name="${field}"]`)
    control?.focus()
    // The examples are above the focused button.
    if (field === 'images') control?.closest('section')?.scrollIntoView()
  }
  /** The toast and the focus are about the same problem, the first in the order of the spec. The bar lists the others. */
  function complain(entry: QuotedEntry, wrong: readonly SubmissionProblem[]) {
    const [first] = wrong
    if (!first) return
    complaint.current = toast({ ...problemToast(t, first), variant: 'destructive' })
    goTo(entry, first.field)
  }

  /** Opens a card, at the photos if some were refused. */
  const openCard = (entry: QuotedEntry) => goTo(entry, photoProblem(entry) && 'images')

  function finishCard(entry: QuotedEntry) {
    setTried([...tried, entry.name])
    const wrong = problemsOf(entry).filter(isOfCard)
    if (wrong.length > 0) return complain(entry, wrong)
    const next = left.find((other) => other !== entry && problemsOf(other).some(isOfCard))
    if (next) return goTo(next)
    flushSync(() => setOpen(undefined))
    goTo(undefined, 'paymentType')
  }

  function discard() {
    for (const { photos, kept } of left) {
      for (const { id } of photos.photos) photos.remove(id)
      kept.discard()
    }
    payout.discard()
    setTried([])
    // The button that was pressed disappears.
    form.current?.querySelector('button')?.focus()
  }

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (isSending || isPreparing) return
    setTried([PAYOUT, payout.draft.paymentType, ...ready.map(({ name }) => name)])
    const wrong = problems.filter(({ entry }) => ready.includes(entry))
    // For one card in the order of the spec. For several, the payout comes after the cards.
    const first = (!only && wrong.find(({ problem }) => isOfCard(problem))) || wrong[0]
    if (first) {
      const { entry } = first
      const ofEntry = problemsOf(entry)
      return complain(entry, !only && isOfCard(first.problem) ? ofEntry.filter(isOfCard) : ofEntry)
    }
    const changed = ready.find(({ rateChange }) => rateChange)
    if (changed) {
      toast({
        title: t('sellCard.acceptFirst'),
        description: t('sellCard.acceptFirst.text'),
        variant: 'destructive',
      })
      return goTo(changed, 'acceptRate')
    }
    const { paymentType, paymentRoutingNumber } = payout.draft
    const stopsAtRouting = !savedMethod && routingWarning.stops(paymentType, paymentRoutingNumber)
    const expired = ready.filter((entry) => isExpired(entry) && !warnedDates.includes(dateOf(entry)))
    // Asked once, because the other number may have no PIN.
    const withoutPin = isPinAsked ? undefined : ready.find(losesPin)
    setWarnedDates([...warnedDates, ...expired.map(dateOf)])
    if (withoutPin) {
      setPinAsked(true)
      complaint.current = toast({
        title: t('sellCard.missing.securityCode'),
        description: t('sellCard.missing.securityCode.text'),
        variant: 'destructive',
      })
      return goTo(withoutPin, 'securityCode')
    }
    if (expired[0]) return goTo(expired[0], 'expirationDate')
    if (stopsAtRouting) return goTo(undefined, 'paymentRoutingNumber')
    setOpen(undefined)
    const failed = await send(
      ready.flatMap((entry) => {
        const { kept, photos, resubmissionOf, onAccepted } = entry
        const quote = priceOf(entry)
        if (!quote) return []
        return {
          key: kept.key,
          draft: withPayout(kept.draft, payout.draft),
          quote,
          photos: photos.photos.map(({ file }) => file),
          savedMethod: savedMethod?.id,
          resubmissionOf,
          sale: saleId === undefined ? undefined : { saleId, saleCards: entries.length },
          onAccepted: (answer) => {
            kept.forget()
            onAccepted?.(answer)
          },
        }
      }),
    )
    if (!failed) return goTo(unready[0])
    const [refused] = refusalsOf(failed.error)
    goTo(
      left.find(({ kept }) => kept.key === failed.key),
      refused?.path,
    )
  }

  const isWarned =
    (!savedMethod && routingWarning.warned === payout.draft.paymentRoutingNumber) ||
    ready.some((entry) => isExpired(entry) && warnedDates.includes(dateOf(entry))) ||
    (isPinAsked && ready.some(losesPin))
  const saleLabel = isSending
    ? t('sellCard.submit.sending')
    : t(left.some(hasFailed) ? 'sellCard.sale.again' : 'sellCard.sale.submit', { count: ready.length })
  return (
    <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_22rem] lg:gap-8">
      <form
        ref={form}
        noValidate
        onSubmit={submit}
        // On phones the toast covers the page's bar.
        onChange={() => complaint.current && dismissToast(complaint.current)}
        onBlur={({ target }) => {
          if ('value' in target && target.value) setLeftFields(new Set([...leftFields, target.name]))
        }}
        className="grid grid-cols-1 gap-6"
      >
        <Button
          variant="quiet"
          onClick={onBack}
          disabled={isSending}
          icon={<ArrowLeft aria-hidden="true" className="size-4" />}
          className="-my-2 -ml-4 justify-self-start disabled:border-none! disabled:bg-transparent!"
        >
          {t('sellCard.backToQuote')}
        </Button>
        {/* A failed attempt says what is still here. */}
        {!left.some(hasFailed) &&
          [payout, ...left.map(({ kept }) => kept)].some(({ isRestored }) => isRestored) && (
            <Restored onDiscard={discard} />
          )}
        {CardPanel &&
          !only &&
          entries.map((entry) => (
            <CardPanel
              key={entry.name}
              entry={entry}
              missing={labelsOf(problemsOf(entry).filter(isOfCard), '')}
              isTouched={tried.includes(entry.name) || isTouched(entry)}
              isOpen={entry.name === open}
              isLocked={isSending}
              photoProblem={photoProblem(entry)}
              onToggle={() => (entry.name === open ? setOpen(undefined) : openCard(entry))}
            >
              {/* Comes first, because the card opens at its top when it was not sent. */}
              <div className="py-4 empty:hidden">
                <CardNotice entry={entry} />
              </div>
              <CardFields
                entry={entry}
                isRepeated={entries.some((other) => other !== entry && isSameNumber(other, entry))}
                errorAt={errorAt([entry], entry.name)}
              />
              <div className="grid gap-4 py-6">
                <Button
                  variant="secondary"
                  size="lg"
                  loading={entry.photos.preparing}
                  onClick={() => finishCard(entry)}
                >
                  {t('sellCard.sale.finishCard')}
                </Button>
              </div>
            </CardPanel>
          ))}
        <Panel className="divide-y divide-line py-0 md:py-0">
          {only && <CardFields entry={only} isRepeated={false} errorAt={errorAt(left, PAYOUT)} />}
          <Payout
            draft={payout.draft}
            onChange={payout.change}
            errorAt={errorAt(left, PAYOUT)}
            count={entries.length}
            saved={methods}
            chosen={savedMethod}
          />
        </Panel>
        {only && <CardNotice entry={only} />}
        {/* Wide screens show it beside the form. */}
        {!ready.some(({ rateChange }) => rateChange) && (
          <div className="lg:hidden">
            <HeldUntil count={going.length} />
          </div>
        )}
        <SubmitBar
          label={only ? submitLabel(t, filledIn(only), isSending) : saleLabel}
          unready={
            only
              ? []
              : unready.map((entry) => ({ card: cardText(entry.quote), finish: () => openCard(entry) }))
          }
          isReady={only !== undefined || unready.length < left.length}
          missing={labelsOf(only ? problemsOf(only) : payoutProblems, payout.draft.paymentType).map((label) =>
            t(label),
          )}
          isWarned={isWarned}
          isPreparing={isPreparing}
          progress={progress}
          cancelTo={leaveTo(only?.resubmissionOf)}
        />
      </form>
      <QuoteSummary
        entries={going}
        total={entries.length}
        sent={entries.length - left.length}
        unready={unready.length}
      />
    </div>
  )
}

interface SubmissionStepProps {
  /** Undefined for a card that is sold alone. */
  saleId: string | undefined
  /** For several cards. */
  CardPanel: typeof CardPanelType | undefined
  entries: readonly QuotedEntry[]
  payout: KeptDraft
  send: ReturnType<typeof useSubmissions>['send']
  /** While cards are sent. */
  progress: UploadState | undefined
  onBack: () => void
}

/** Each number of a bank account says what is wrong with it, also when both are missing. */
const bankCodes: Readonly<Partial<Record<string, 'routing_number_invalid' | 'account_number_invalid'>>> = {
  paymentRoutingNumber: 'routing_number_invalid',
  paymentAccountNumber: 'account_number_invalid',
}

/** Represents the payout among the names of cards. */
const PAYOUT = ''

/** "Amazon $100" */
const cardText = ({ brand, faceValue }: Quote) => `${brand.name} ${toShortDollars(faceValue)}`

const isExpired = ({ kept }: QuotedEntry) => hasExpired(kept.draft.expirationDate)

/** A card with its date, so that a corrected date is a new one. */
const dateOf = ({ name, kept }: QuotedEntry) => `${name} ${kept.draft.expirationDate}`

/** Compares as the server does. Cards without a number are never the same. */
function isSameNumber(one: QuotedEntry, other: QuotedEntry): boolean {
  const [number, same] = [one, other].map(({ kept: { draft } }) =>
    comparedNumber(draft.cardNumber, draft.securityCode),
  )
  return Boolean(number) && number === same
}

/** Whether the seller has begun with the card. */
const isTouched = ({ kept, photos }: QuotedEntry) =>
  photos.photos.length > 0 || photos.rejected !== undefined || kept.draft.cardNumber !== ''

const hasFailed = ({ attempt }: SaleEntry) => attempt?.state === 'failed'

function Restored({ onDiscard }: { onDiscard: () => void }) {
  const t = useWords()
  return (
    <Notice
      title={t('sellCard.restored')}
      action={
        <Button variant="secondary" size="sm" onClick={onDiscard}>
          {t('sellCard.restored.discard')}
        </Button>
      }
    >
      {t('sellCard.restored.text')}
    </Notice>
  )
}
