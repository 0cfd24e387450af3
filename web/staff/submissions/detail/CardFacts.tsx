import { Check, Copy, Eye, EyeOff } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { StaffSubmission } from '#contract/staff-submissions.ts'
import { cardConditionLabels, cardConditions, cardFormatLabels, cardFormats } from '#domain/card.ts'
import { paymentRules, paymentTypes } from '#domain/payment-methods.ts'
import { Button, IconButton } from '#web/kit/Button.tsx'
import { KeyHint, useKeyShortcut } from '../../keys/KeyHint.tsx'
import { Fact, Facts } from './Facts.tsx'
import type { Reveal } from './use-reveal.ts'

interface CardFactsProps {
  submission: StaffSubmission
  reveal: Reveal
}

/** The card and the payout account as the seller entered them, masked until revealed. */
export function CardFacts({ submission, reveal }: CardFactsProps) {
  const { values } = reveal
  const erased = isErased(submission)
  const format = cardFormats.find((known) => known === submission.cardFormat)
  const condition = cardConditions.find((known) => known === submission.cardCondition)
  return (
    <>
      <Facts title="Card" action={!erased && <RevealButton reveal={reveal} />}>
        <SecretFact
          name="Card number"
          masked={submission.cardNumber}
          erased={erased}
          whole={values?.cardNumber}
          long
        />
        <SecretFact name="PIN" masked={submission.pin} erased={erased} whole={values?.securityCode} />
        {submission.expirationDate && (
          <Fact name="Expires" code>
            {submission.expirationDate}
          </Fact>
        )}
        <Fact name="Format">{format ? cardFormatLabels[format] : 'Not given'}</Fact>
        <Fact name="Condition">{condition ? cardConditionLabels[condition] : 'Not given'}</Fact>
        {submission.submissionNotes && (
          <Fact name="Notes" long>
            <span className="whitespace-pre-line">{submission.submissionNotes}</span>
          </Fact>
        )}
      </Facts>
      <PayoutFacts submission={submission} reveal={reveal} />
    </>
  )
}

function PayoutFacts({ submission, reveal: { values } }: CardFactsProps) {
  const erased = isErased(submission)
  const type = paymentTypes.find((known) => known === submission.paymentType)
  return (
    <Facts title="Payout">
      <Fact name="Method">{type ? paymentRules[type].label : submission.paymentType}</Fact>
      <Fact name="Account name">{submission.paymentAccountName}</Fact>
      {type === 'bank_transfer' ? (
        <>
          <SecretFact
            name="Routing number"
            masked={submission.paymentRoutingNumber}
            erased={erased}
            whole={values?.paymentRoutingNumber}
          />
          <SecretFact
            name="Account number"
            masked={submission.paymentAccountNumber}
            erased={erased}
            whole={values?.paymentAccountNumber}
            long
          />
        </>
      ) : (
        <SecretFact
          name={type ? paymentRules[type].account : 'Account'}
          masked={submission.paymentAccountInfo}
          erased={erased}
          whole={values?.paymentAccountInfo}
          long
        />
      )}
    </Facts>
  )
}

export function isErased({ secretsErasedAt }: StaffSubmission): boolean {
  return secretsErasedAt !== null
}

interface SecretFactProps {
  name: string
  /** null if the seller gave none or it was erased */
  masked: string | null
  erased: boolean
  /** The full value while it is revealed */
  whole: string | null | undefined
  long?: boolean
}

function SecretFact({ name, masked, erased, whole, long = false }: SecretFactProps) {
  if (masked === null) return <Fact name={name}>{erased ? 'Erased' : 'None'}</Fact>
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
        <Icon aria-hidden="true" className={copied ? 'size-4 text-positive' : 'size-4'} />
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
      <Button
        variant="secondary"
        size="sm"
        loading={isPending}
        onClick={toggle}
        aria-keyshortcuts={useKeyShortcut('reveal')}
        icon={<Icon aria-hidden="true" className="size-4" />}
      >
        {values ? 'Hide' : 'Reveal'} <KeyHint action="reveal" />
      </Button>
    </span>
  )
}
