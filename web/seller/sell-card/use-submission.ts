import { useMutation, useMutationState, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Answer } from '#contract/route.ts'
import { routes } from '#contract/routes.ts'
import type { Quote } from '#domain/quote.ts'
import { useBrands } from '#web/cards/use-brands.ts'
import { useNavigate } from '#web/kit/router/index.ts'
import { toast } from '#web/kit/toast.ts'
import { ApiError, messageOf } from '#web/wire/errors.ts'
import { refresh } from '#web/wire/read.ts'
import { upload } from '#web/wire/upload.ts'
import { pathTo } from '#web/words/paths.ts'
import { translate, withWords } from '#web/words/words.ts'
import { type Draft, toFields } from './draft.ts'
import type { useDraft } from './use-draft.ts'

interface Sending {
  draft: Draft
  quote: Quote
  photos: readonly File[]
  savedMethod: string | undefined
  /** The rejected submission of the same card. */
  resubmissionOf: string | undefined
}

/**
 * Submits the draft with its photos, then goes to the confirmation. An attempt continues when the seller leaves the
 * screen, and a screen that shows the same draft again joins it.
 */
export function useSubmission({ key, forget }: Pick<ReturnType<typeof useDraft>, 'key' | 'forget'>) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const { refetch: fetchRatesAgain } = useBrands()
  // A screen that joins a running attempt does not know its progress and shows all photos as uploaded.
  const [share, setShare] = useState(1)
  const stopping = useRef(new AbortController())
  const mutationKey = [routes.submitGiftCard.path, key]

  const submission = useMutation({
    mutationKey,
    mutationFn: ({ draft, quote, photos, savedMethod, resubmissionOf }: Sending) => {
      setShare(0)
      stopping.current = new AbortController()
      // Load the next screen before the connection can fail.
      void withWords(['confirmation', 'statuses'], import('../Confirmation.tsx')).catch(() => undefined)
      const sent = upload(routes.submitGiftCard, {
        fields: { ...toFields(draft, quote, savedMethod), ...(resubmissionOf && { resubmissionOf }) },
        files: photos,
        idempotencyKey: key,
        signal: stopping.current.signal,
        onProgress: setShare,
      })
      return askBeforeClosing(sent)
    },
    onSuccess: () => {
      forget()
      void refresh(client, routes.myTransactions, routes.myEarnings, routes.mySubmissions)
      const t = translate()
      toast({ title: t('sellCard.submitted'), description: t('sellCard.submitted.text') })
    },
    onError: (error) => {
      const t = translate()
      if (codeOf(error) === 'aborted') {
        toast({ title: t('sellCard.upload.stopped'), description: t('sellCard.upload.stopped.text') })
        return
      }
      if (codeOf(error) === 'key_reused') {
        void refresh(client, routes.myTransactions, routes.mySubmissions)
        return
      }
      if (codeOf(error) === 'quote_changed') void fetchRatesAgain()
      if (methodGone(error)) void refresh(client, routes.paymentMethods)
      toast({ title: t('sellCard.failed'), description: reasonOf(error), variant: 'destructive' })
    },
  })

  const attempts = useMutationState({ filters: { mutationKey }, select: ({ state }) => state })
  const accepted = attempts.find(({ status }) => status === 'success')?.data as Answered | undefined
  const confirm = useEffectEvent(({ transaction, giftCard }: Answered) => {
    forget()
    navigate(pathTo('confirmation', { transactionId: transaction.id, giftCardId: giftCard.id }), {
      replace: true,
    })
  })
  useEffect(() => {
    if (accepted) confirm(accepted)
  }, [accepted])

  const refusal = submission.error instanceof ApiError ? submission.error : undefined
  return {
    send: submission.mutate,
    /** Also true after the response, until the confirmation is shown. */
    sending: accepted !== undefined || attempts.some(({ status }) => status === 'pending'),
    share,
    /** Stops the upload, unless it is already complete. */
    stop: () => stopping.current.abort(),
    /** What the server refused at a field. */
    refusedAt: (field: string) => refusal?.errors.find(({ path }) => path === field),
    newQuote: codeOf(refusal) === 'quote_changed' ? refusal?.message : undefined,
    /** The draft's key was already used: a response was lost, or another tab has a copy of the draft. */
    acceptedBefore: codeOf(refusal) === 'key_reused',
    /** The seller may not submit until support allows it. */
    blocked: codeOf(refusal) === 'seller_blocked',
    /** Why the last attempt failed. */
    failure: submission.error ? reasonOf(submission.error) : undefined,
  }
}

type Answered = Answer<typeof routes.submitGiftCard>

/** Closing the tab would lose the upload, so the browser asks first. */
async function askBeforeClosing<Result>(sent: Promise<Result>): Promise<Result> {
  const ask = (event: Event) => event.preventDefault()
  window.addEventListener('beforeunload', ask)
  return sent.finally(() => window.removeEventListener('beforeunload', ask))
}

function reasonOf(error: unknown): string {
  return messageOf(error, translate()('sellCard.failed.text'))
}

function codeOf(error: unknown): string | undefined {
  return error instanceof ApiError ? error.code : undefined
}

/** The chosen payment method was deleted on another screen. */
function methodGone(error: unknown): boolean {
  return error instanceof ApiError && error.errors.some(({ path }) => path === 'paymentMethodId')
}
