import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Administrator } from '#contract/administrators.ts'
import type { Revealed, StaffSubmission } from '#contract/staff-submissions.ts'
import { maskCards } from '#domain/card-number.ts'
import { type PaymentType, paymentTypes } from '#domain/payment-methods.ts'
import { may } from '#domain/roles.ts'
import { maySeeCard } from '#domain/submission.ts'
import { cardFacts } from '#web/cards/card-facts.ts'
import { TextLink } from '#web/kit/Button.tsx'
import { pathTo } from '#web/words/paths.ts'
import { useWords } from '#web/words/words.ts'
import { useStaff } from '../shell/use-staff.ts'
import { CopyButton } from './CopyButton.tsx'
import { Fact, Facts, Unbroken } from './Facts.tsx'
import { PayoutBadge } from './PayoutBadge.tsx'
import { RevealButton } from './RevealButton.tsx'
import type { Reveal } from './use-reveal.ts'

interface CardFactsProps {
  submission: StaffSubmission
  reveal: Reveal
}

/** The card and the payout account as the seller entered them, masked until revealed. */
export function CardFacts(props: CardFactsProps) {
  const t = useWords()
  const { submission, reveal } = props
  const { admin } = useStaff()
  const seesCards = maySeeCard(admin.role, submission.status)
  return (
    <>
      <Facts
        title="Card"
        action={canReveal(admin, submission) && seesCards && <RevealButton reveal={reveal} />}
      >
        <SecretFact name="Card number" field="cardNumber" {...props} />
        <SecretFact name="PIN" field="securityCode" {...props} />
        {submission.expirationDate && (
          <Fact name="Expires" code>
            {submission.expirationDate}
          </Fact>
        )}
        {cardFacts(t, submission).map(({ name, value }) => (
          <Fact key={name} name={name}>
            {value}
          </Fact>
        ))}
        {submission.resubmissionOf && (
          <Fact name="Resubmission of">
            <TextLink to={pathTo('admin', { id: submission.resubmissionOf })}>the rejected card</TextLink>
          </Fact>
        )}
      </Facts>
      <PayoutFacts
        // The only values that a payer can reveal.
        action={canReveal(admin, submission) && !seesCards && <RevealButton reveal={reveal} />}
        {...props}
      />
      {submission.submissionNotes && (
        <section className="grid gap-1 text-sm">
          <h3 className="text-base">Message from the seller</h3>
          <p className="wrap-anywhere whitespace-pre-line">
            {reveal.values ? submission.submissionNotes : maskCards(submission.submissionNotes)}
          </p>
        </section>
      )}
    </>
  )
}

function PayoutFacts({ action, ...props }: CardFactsProps & { action: ReactNode }) {
  const t = useWords()
  const { submission } = props
  const type = paymentTypes.find((known) => known === submission.paymentType)
  const namesDiffer = submission.risks?.some(({ code }) => code === 'holder_name') ?? false
  return (
    <Facts title="Payout" action={action}>
      {submission.payout && (
        <PayoutState
          payout={submission.payout}
          paymentType={type ?? 'other'}
          needsAccount={submission.needsAccount}
          mustConfirmEmail={submission.user.mustConfirmEmail}
        />
      )}
      <Fact name="Method">{type ? t(`payments.type.${type}`) : submission.paymentType}</Fact>
      {type === 'bank_transfer' ? (
        <>
          <SecretFact name="Routing" field="paymentRoutingNumber" {...props} />
          <SecretFact name="Account" field="paymentAccountNumber" {...props} />
          <Fact name="Account type">
            {submission.paymentAccountType === 'savings' ? 'Savings' : 'Checking'}
          </Fact>
        </>
      ) : (
        <SecretFact name="Account" field="paymentAccountInfo" {...props} />
      )}
      <Fact name="Holder">{submission.paymentAccountName}</Fact>
      <Fact name="Seller">
        {submission.user.firstName} {submission.user.lastName}
        {namesDiffer && (
          <span className="ml-2 inline-flex items-center gap-1 whitespace-nowrap font-semibold text-caution text-sm">
            <TriangleAlert aria-hidden="true" />
            Differs
          </span>
        )}
      </Fact>
    </Facts>
  )
}

interface PayoutStateProps {
  payout: NonNullable<StaffSubmission['payout']>
  paymentType: PaymentType
  needsAccount: boolean
  mustConfirmEmail: boolean
}

function PayoutState({ payout, paymentType, needsAccount, mustConfirmEmail }: PayoutStateProps) {
  const { admin } = useStaff()
  const { id, number, state, reference, waitsUntil } = payout
  return (
    <>
      <Fact
        name="State"
        action={
          may(admin.role, 'see_payouts') && (
            <TextLink to={pathTo('adminPayouts', { view: 'all', id })} className="text-sm">
              Payout {number}
            </TextLink>
          )
        }
      >
        <PayoutBadge payout={{ state, paymentType }} {...{ needsAccount, waitsUntil, mustConfirmEmail }} />
      </Fact>
      {reference && (
        <Fact name="Reference" code action={<CopyButton name="reference" value={reference} />}>
          {reference}
        </Fact>
      )}
    </>
  )
}

export function canReveal({ role }: Administrator, submission: StaffSubmission): boolean {
  return !isErased(submission) && (maySeeCard(role, submission.status) || may(role, 'reveal_accounts'))
}

export function isErased({ secretsErasedAt }: StaffSubmission): boolean {
  return secretsErasedAt !== null
}

interface SecretFactProps extends CardFactsProps {
  name: string
  field: keyof Revealed
}

export function SecretFact({ submission, reveal, name, field }: SecretFactProps) {
  const masked = field === 'securityCode' ? submission.pin : submission[field]
  const whole = reveal.values?.[field]
  if (masked === null) return <Fact name={name}>{isErased(submission) ? 'Erased' : 'None'}</Fact>
  return (
    <Fact name={name} code action={whole && <CopyButton name={name} value={whole} />}>
      {whole ? (
        <strong className="font-semibold text-accent">
          <Unbroken text={whole} />
        </strong>
      ) : (
        <Unbroken text={masked} />
      )}
    </Fact>
  )
}
