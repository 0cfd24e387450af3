import { Check, Copy, Eye, EyeOff } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import type { Administrator } from '#contract/accounts.ts'
import type { Revealed, StaffSubmission } from '#contract/staff-submissions.ts'
import { cardConditions, cardFormats } from '#domain/card.ts'
import { paymentTypes } from '#domain/payment-methods.ts'
import { may } from '#domain/roles.ts'
import { IconButton } from '#web/kit/Button.tsx'
import { useWords } from '#web/words/words.ts'
import { KeyButton } from '../../keys/KeyHint.tsx'
import { useStaff } from '../../use-staff.ts'
import { Fact, Facts } from './Facts.tsx'
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
  const seesCards = may(admin.role, 'reveal_cards')
  const format = cardFormats.find((known) => known === submission.cardFormat)
  const condition = cardConditions.find((known) => known === submission.cardCondition)
  return (
    <>
      <Facts
        title="Card"
        action={canReveal(admin, submission) && seesCards && <RevealButton reveal={reveal} />}
      >
        <SecretFact name="Card number" field="cardNumber" long {...props} />
        <SecretFact name="PIN" field="securityCode" {...props} />
        {submission.expirationDate && (
          <Fact name="Expires" code>
            {submission.expirationDate}
          </Fact>
        )}
        <Fact name="Format">{format ? t(`cards.format.${format}`) : 'Not given'}</Fact>
        <Fact name="Condition">{condition ? t(`cards.condition.${condition}`) : 'Not given'}</Fact>
        {submission.submissionNotes && (
          <Fact name="Notes" long>
            <span className="whitespace-pre-line">{submission.submissionNotes}</span>
          </Fact>
        )}
      </Facts>
      <PayoutFacts
        // The only values that a payer can reveal.
        action={canReveal(admin, submission) && !seesCards && <RevealButton reveal={reveal} />}
        {...props}
      />
    </>
  )
}

function PayoutFacts({ action, ...props }: CardFactsProps & { action: ReactNode }) {
  const t = useWords()
  const { submission } = props
  const type = paymentTypes.find((known) => known === submission.paymentType)
  return (
    <Facts title="Payout" action={action}>
      <Fact name="Method">{type ? t(`payments.type.${type}`) : submission.paymentType}</Fact>
      <Fact name="Account name">{submission.paymentAccountName}</Fact>
      <Fact name="Seller name">
        {submission.user.firstName} {submission.user.lastName}
      </Fact>
      {type === 'bank_transfer' ? (
        <>
          <SecretFact name="Routing number" field="paymentRoutingNumber" {...props} />
          <SecretFact name="Account number" field="paymentAccountNumber" long {...props} />
        </>
      ) : (
        <SecretFact
          name={type ? t(`payments.account.${type}`) : 'Account'}
          field="paymentAccountInfo"
          long
          {...props}
        />
      )}
    </Facts>
  )
}

export function canReveal({ role }: Administrator, submission: StaffSubmission): boolean {
  return may(role, 'reveal') && !isErased(submission)
}

export function isErased({ secretsErasedAt }: StaffSubmission): boolean {
  return secretsErasedAt !== null
}

interface SecretFactProps extends CardFactsProps {
  name: string
  field: keyof Revealed
  long?: boolean
}

function SecretFact({ submission, reveal, name, field, long = false }: SecretFactProps) {
  const masked = field === 'securityCode' ? submission.pin : submission[field]
  const whole = reveal.values?.[field]
  if (masked === null) return <Fact name={name}>{isErased(submission) ? 'Erased' : 'None'}</Fact>
  return (
    <Fact name={name} code long={long} action={whole && <CopyButton name={name} value={whole} />}>
      {whole ? <strong className="font-semibold text-accent">{whole}</strong> : masked}
    </Fact>
  )
}

const COPIED_SHOWN_MS = 1500

/** No button on insecure pages, where browsers have no clipboard. */
function CopyButton({ name, value }: { name: string; value: string }) {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), COPIED_SHOWN_MS)
    return () => clearTimeout(timer)
  }, [copied])
  if (!navigator.clipboard) return null
  const Icon = copied ? Check : Copy
  return (
    <>
      <IconButton
        label={`Copy ${name}`}
        className="-my-2 size-9 self-center"
        onClick={() =>
          navigator.clipboard.writeText(value).then(
            () => setCopied(true),
            () => setCopied(false),
          )
        }
      >
        <Icon className={copied ? 'size-4 text-positive' : 'size-4'} />
      </IconButton>
      <span role="status" className="sr-only">
        {copied && `${name} copied`}
      </span>
    </>
  )
}

function RevealButton({ reveal: { values, secondsLeft, toggle, isPending } }: { reveal: Reveal }) {
  const Icon = values ? EyeOff : Eye
  return (
    <span className="flex items-center gap-3">
      {values && (
        <span aria-hidden="true" className="figures text-soft text-sm">
          {secondsLeft} s
        </span>
      )}
      <KeyButton
        action="reveal"
        variant="secondary"
        size="sm"
        loading={isPending}
        onClick={toggle}
        icon={<Icon />}
      >
        {values ? 'Hide' : 'Reveal'}
      </KeyButton>
    </span>
  )
}
