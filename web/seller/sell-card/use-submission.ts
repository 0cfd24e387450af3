import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { routes } from '#contract/routes.ts'
import type { Quote } from '#domain/quote.ts'
import { ApiError, messageOf } from '../../api/errors.ts'
import { createKeyring } from '../../api/idempotency.ts'
import { refresh } from '../../api/read.ts'
import { upload } from '../../api/upload.ts'
import { confirmationPath } from '../../paths.ts'
import { useBrands } from '../../quote/use-brands.ts'
import { useNavigate } from '../../router/index.ts'
import { toast } from '../../ui/toast.ts'
import { type Draft, toFields } from './draft.ts'

interface Sending {
  draft: Draft
  quote: Quote
  photos: readonly File[]
  savedMethod: string | undefined
}

/**
 * Sends the card and its photos, says how far that is, and leads on to the confirmation.
 * @param onTaken before that: nothing of the draft is needed any more
 */
export function useSubmission(onTaken: () => void) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const { refetch: fetchRatesAgain } = useBrands()
  const keyFor = useRef(createKeyring())
  const [share, setShare] = useState(0)

  const submission = useMutation({
    mutationFn: ({ draft, quote, photos, savedMethod }: Sending) => {
      setShare(0)
      const fields = toFields(draft, quote, savedMethod)
      const idempotencyKey = keyFor.current(fields, photos)
      return upload(routes.submitGiftCard, { fields, files: photos, idempotencyKey, onProgress: setShare })
    },
    onSuccess: ({ transaction, giftCard }) => {
      onTaken()
      void refresh(client, routes.myTransactions, routes.myEarnings, routes.mySubmissions)
      toast({
        title: 'Gift Card Submitted!',
        description: 'Your card was submitted for review. You will be notified once it has been processed.',
      })
      navigate(confirmationPath({ transactionId: transaction.id, giftCardId: giftCard.id }), {
        replace: true,
      })
    },
    onError: (error) => {
      if (quoteChanged(error)) void fetchRatesAgain()
      if (methodGone(error)) void refresh(client, routes.paymentMethods)
      toast({
        title: 'Submission Failed',
        description: messageOf(error, 'There was an error submitting your gift card. Please try again.'),
        variant: 'destructive',
      })
    },
  })

  const refusal = submission.error instanceof ApiError ? submission.error : undefined
  return {
    send: submission.mutate,
    sending: submission.isPending,
    share,
    /** The server's text at a field, by the field's name. */
    refusedAt: (field: string) => refusal?.errors.find(({ path }) => path === field)?.message,
    newQuote: quoteChanged(refusal) ? refusal?.message : undefined,
  }
}

function quoteChanged(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'quote_changed'
}

/** Deleted meanwhile, on another page. */
function methodGone(error: unknown): boolean {
  return error instanceof ApiError && error.errors.some(({ path }) => path === 'paymentMethodId')
}
