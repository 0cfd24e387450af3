import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Answer } from '#contract/route.ts'
import { routes } from '#contract/routes.ts'
import type { Quote } from '#domain/quote.ts'
import { useBrands } from '#web/cards/use-brands.ts'
import { whenOnline } from '#web/kit/lazy-component.ts'
import { useNavigate } from '#web/kit/router/index.ts'
import { createStore, useStore } from '#web/kit/store.ts'
import { toast } from '#web/kit/toast.ts'
import { call } from '#web/wire/call.ts'
import { ApiError, messageOf } from '#web/wire/errors.ts'
import { refresh } from '#web/wire/read.ts'
import { upload } from '#web/wire/upload.ts'
import { pathTo } from '#web/words/paths.ts'
import { inLocale, translate } from '#web/words/words.ts'
import { withoutOtherKind } from '../AccountFields.tsx'
import { type Draft, isPayoutField, toFields } from './draft.ts'

/** A card that is ready to be sent. */
interface Parcel {
  key: string
  draft: Draft
  quote: Quote
  photos: readonly File[]
  savedMethod: string | undefined
  /** The rejected submission of the same card. */
  resubmissionOf: string | undefined
  /** The sale it belongs to, and how many cards that has. */
  sale: { saleId: string; saleCards: number } | undefined
  onAccepted?: ((answer: Answered) => void) | undefined
}

export type Answered = Answer<typeof routes.submitGiftCard>

/** What has happened to a card since the page was loaded. `share` is how much of it was sent, 0 to 1. */
export type Attempt =
  | { readonly state: 'waiting' | 'sending'; readonly share: number; readonly stop: () => void }
  | { readonly state: 'accepted'; readonly answer: Answered }
  | { readonly state: 'failed'; readonly error: unknown }

type Attempts = Readonly<Record<string, Attempt | undefined>>
let latest: Attempts = {}

/** By key. Not part of a screen: uploads continue when the seller leaves it, and it joins them when they return. */
const attempts = createStore<Attempts>(
  () => latest,
  (next) => {
    latest = next
  },
)

/** Submits cards with their photos. */
export function useSubmissions() {
  const client = useQueryClient()
  const { refetch: fetchRatesAgain } = useBrands()
  const all = useStore(attempts)
  useEffect(() => void loadConfirmation().catch(() => undefined), [])
  return {
    attemptOf: (key: string) => all[key],
    /** Sends cards one after another. @returns the key of the first card that was refused, and why */
    send: async (parcels: readonly Parcel[]) => {
      const stopping = new AbortController()
      const failed = await askBeforeClosing(sendAll(parcels, stopping))
      const left = parcels.filter(({ key }) => latest[key]?.state !== 'accepted')
      if (left.length < parcels.length) {
        void refresh(client, routes.myTransactions, routes.myEarnings, routes.mySubmissions)
      }
      if (left.length === 0) void rememberAccount(parcels[0], client)
      if (failed) refreshFor(failed.error, client)
      if (errorCode(failed?.error) === 'quote_changed') void fetchRatesAgain()
      if (failed) announceFailure(failed.error)
      else announce(left.length > 0 ? 'stopped' : 'submitted', parcels.length)
      return failed
    },
  }
}

let confirmation: Promise<unknown> | undefined

/** Loads the next screen with the form: browsers do not fetch a script again that they asked for without a connection. */
function loadConfirmation(): Promise<unknown> {
  confirmation ??= whenOnline(() => import('../Confirmation.tsx'))
  return confirmation
}

/** Goes to the confirmation, by loading the page anew if its script could not be fetched. The card is sent either way. */
export function useToConfirmation() {
  const navigate = useNavigate()
  return async (query: Parameters<typeof pathTo<'confirmation'>>[1]): Promise<void> => {
    const address = pathTo('confirmation', query)
    await loadConfirmation().then(
      () => navigate(address, { replace: true }),
      () => location.replace(inLocale(address)),
    )
  }
}

/** Saves the account that was typed for these cards. The cards are sold without it too, so a failure is not shown. */
async function rememberAccount(parcel: Parcel | undefined, client: QueryClient): Promise<void> {
  const { draft, savedMethod } = parcel ?? {}
  if (!draft?.paymentType || !draft.paymentRemembered || savedMethod) return
  const body = {
    type: draft.paymentType,
    accountName: draft.paymentAccountName,
    accountInfo: draft.paymentAccountInfo,
    routingNumber: draft.paymentRoutingNumber,
    accountNumber: draft.paymentAccountNumber,
    accountType: draft.paymentAccountType,
  }
  const saved = call(routes.addPaymentMethod, { body: withoutOtherKind(body) })
  await saved.then(() => refresh(client, routes.paymentMethods)).catch(() => undefined)
}

interface Failed {
  key: string
  error: unknown
}

/** Sends each card, up to an error that the others would get too. @returns the first that failed */
async function sendAll(parcels: readonly Parcel[], stopping: AbortController): Promise<Failed | undefined> {
  const stop = () => stopping.abort()
  for (const { key } of parcels) note(key, { state: 'waiting', share: 0, stop })
  let first: Failed | undefined
  for (const parcel of parcels) {
    const { key } = parcel
    if (stopping.signal.aborted || (first && isAboutAllCards(first.error))) {
      note(key, undefined)
      continue
    }
    try {
      const answer = await sendOne(parcel, stopping)
      parcel.onAccepted?.(answer)
      note(key, { state: 'accepted', answer })
    } catch (error) {
      const isStopped = errorCode(error) === 'aborted'
      note(key, isStopped ? undefined : { state: 'failed', error })
      if (!isStopped && (!first || isAboutAllCards(error))) first = { key, error }
    }
  }
  return first
}

function sendOne(
  { key, draft, quote, photos, savedMethod, resubmissionOf, sale }: Parcel,
  stopping: AbortController,
): Promise<Answered> {
  const stop = () => stopping.abort()
  const onProgress = (share: number) => note(key, { state: 'sending', share, stop })
  onProgress(0)
  return upload(routes.submitGiftCard, {
    fields: {
      ...toFields(draft, quote, savedMethod),
      ...(resubmissionOf && { resubmissionOf }),
      ...(sale && { saleId: sale.saleId, saleCards: `${sale.saleCards}` }),
    },
    files: photos,
    idempotencyKey: key,
    signal: stopping.signal,
    onProgress,
  })
}

function note(key: string, attempt: Attempt | undefined): void {
  attempts.set({ ...latest, [key]: attempt })
}

/** Whether the other cards would get the error too. After any other, also a lost connection, they may be accepted. */
function isAboutAllCards(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false
  return (
    error.errors.some(({ path }) => isPayoutField(path)) ||
    ['signed_out', 'email_unconfirmed', 'seller_blocked', 'too_many_requests'].includes(error.code)
  )
}

/** Closing the tab would lose the upload, so the browser asks first. */
async function askBeforeClosing<Result>(sent: Promise<Result>): Promise<Result> {
  const ask = (event: Event) => event.preventDefault()
  window.addEventListener('beforeunload', ask)
  return sent.finally(() => window.removeEventListener('beforeunload', ask))
}

/** Fetches again what the error says has changed. */
function refreshFor(error: unknown, client: QueryClient): void {
  if (errorCode(error) === 'key_reused') void refresh(client, routes.myTransactions, routes.mySubmissions)
  // The chosen payment method was deleted on another screen.
  if (error instanceof ApiError && error.errors.some(({ path }) => path === 'paymentMethodId')) {
    void refresh(client, routes.paymentMethods)
  }
}

function announceFailure(error: unknown): void {
  // The form asks whether this is another card.
  if (errorCode(error) === 'key_reused') return
  toast({ title: translate()('sellCard.failed'), description: reasonOf(error), variant: 'destructive' })
}

function announce(outcome: 'submitted' | 'stopped', count: number): void {
  const t = translate()
  toast(
    outcome === 'submitted'
      ? { title: t('sellCard.submitted', { count }), description: t('sellCard.submitted.text', { count }) }
      : { title: t('sellCard.upload.stopped'), description: t('sellCard.upload.stopped.text', { count }) },
  )
}

export function reasonOf(error: unknown): string {
  return messageOf(error, translate()('sellCard.failed.text'))
}

/** What the server refused at fields of the form. */
export function refusalsOf(error: unknown): ApiError['errors'] {
  return error instanceof ApiError ? error.errors : []
}

/** The code of the server's refusal. */
export function codeOf(attempt: Attempt | undefined): string | undefined {
  return attempt?.state === 'failed' ? errorCode(attempt.error) : undefined
}

function errorCode(error: unknown): string | undefined {
  return error instanceof ApiError ? error.code : undefined
}
