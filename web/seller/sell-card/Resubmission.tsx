import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { PaymentMethod } from '#contract/payment-methods.ts'
import { routes } from '#contract/routes.ts'
import type { SellerSubmission } from '#contract/submissions.ts'
import { cardConditions, cardFormats } from '#domain/card.ts'
import { paymentTypesOn } from '#domain/payment-methods.ts'
import { ButtonLink } from '#web/kit/Button.tsx'
import { EmptyState } from '#web/kit/EmptyState.tsx'
import { Notice } from '#web/kit/Notice.tsx'
import { SkeletonRows } from '#web/kit/Skeleton.tsx'
import { read } from '#web/wire/read.ts'
import { paths } from '#web/words/paths.ts'
import { shopBrand } from '#web/words/shop-brand.ts'
import { useWords } from '#web/words/words.ts'
import { type Draft, emptyDraft } from './draft.ts'

/** Sells a rejected card again: the form starts with what was entered before, except numbers and photos. */
export function Resubmission({ id, children }: ResubmissionProps) {
  const t = useWords()
  const earlier = useQuery(read(routes.mySubmission, { params: { id } }))
  const methods = useQuery(read(routes.paymentMethods, {}))
  if (earlier.isPending || methods.isPending) {
    return <SkeletonRows rows={3} label={t('sellCard.again.loading')} />
  }
  // If they cannot be loaded, the seller fills in the form, and the server decides.
  if (!earlier.data) return children(undefined)
  if (!earlier.data.resubmittable) {
    return (
      <EmptyState
        title={t('sellCard.again.done')}
        action={<ButtonLink to={paths.processing}>{t('sellCard.again.view')}</ButtonLink>}
      >
        {t('sellCard.again.done.text')}
      </EmptyState>
    )
  }
  const { statusReason } = earlier.data
  return (
    <>
      <Notice title={t('sellCard.again')}>
        {statusReason && (
          <p className="wrap-anywhere whitespace-pre-line">
            {t('sellCard.again.reason')} {statusReason}
          </p>
        )}
        <p>{t('sellCard.again.text')}</p>
      </Notice>
      {children(toDraft(earlier.data, methods.data ?? []))}
    </>
  )
}

interface ResubmissionProps {
  id: string
  /** The sale that starts with this draft. */
  children: (start: Draft | undefined) => ReactNode
}

/** The same payout as before: the saved method with that name, or else its type and name. */
function toDraft(earlier: SellerSubmission, methods: readonly PaymentMethod[]): Draft {
  const { paymentType: type, paymentAccountName } = earlier
  const saved = methods.find((method) => method.type === type && method.accountName === paymentAccountName)
  const paymentType = paymentTypesOn('submission', shopBrand.payoutMethods).find((known) => known === type)
  return {
    ...emptyDraft,
    cardFormat: cardFormats.find((known) => known === earlier.cardFormat) ?? emptyDraft.cardFormat,
    cardCondition:
      cardConditions.find((known) => known === earlier.cardCondition) ?? emptyDraft.cardCondition,
    submissionNotes: earlier.notes ?? '',
    ...(saved?.isActive
      ? { paymentMethodId: saved.id }
      : { paymentMethodId: '', paymentType: paymentType ?? '', paymentAccountName }),
  }
}
