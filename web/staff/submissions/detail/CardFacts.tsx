import type { StaffSubmission } from '#contract/staff-submissions.ts'
import { cardConditionLabels, cardConditions, cardFormatLabels, cardFormats } from '#domain/card.ts'
import { paymentRules, paymentTypes } from '#domain/payment-methods.ts'
import { Fact, Facts } from './Facts.tsx'
import { RevealButton } from './RevealButton.tsx'
import { SecretFact } from './SecretFact.tsx'
import type { Reveal } from './use-reveal.ts'

interface CardFactsProps {
  submission: StaffSubmission
  reveal: Reveal
}

/** What the seller typed about the card and where to pay: masked until revealed. */
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
