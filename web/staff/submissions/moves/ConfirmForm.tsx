import type { FormEvent } from 'react'
import { paymentRules, paymentTypes } from '#domain/payment-methods.ts'
import { Button } from '#web/kit/Button.tsx'
import { Form } from '#web/kit/Form.tsx'
import { Money } from '#web/kit/Money.tsx'
import { ClaimNotice } from '../claims/ClaimNotice.tsx'
import type { DecisionProps } from './DecisionDialog.tsx'
import { moveLabel } from './move-label.ts'
import { useFocus } from './use-focus.ts'

/** Asks before an approval is sent. Enter confirms it. */
export function ConfirmForm({ move, submission, decision, claim, onClose }: DecisionProps) {
  const confirm = useFocus<HTMLButtonElement>()
  const type = paymentTypes.find((known) => known === submission.paymentType)

  function submit(event: FormEvent) {
    event.preventDefault()
    if (decision.isPending || claim.other) return
    // A toast reports a failure, as it does for the button.
    decision.decide({ move }, onClose)
  }

  return (
    <Form onSubmit={submit}>
      <ClaimNotice claim={claim} />
      <p>
        The seller gets <Money amount={submission.quote} className="font-semibold" /> by{' '}
        {type ? paymentRules[type].label : submission.paymentType}.
      </p>
      <footer className="flex flex-col-reverse gap-2 md:flex-row md:justify-end">
        <Button variant="secondary" onClick={onClose}>
          Cancel
        </Button>
        <Button
          ref={confirm}
          type="submit"
          loading={decision.isPending}
          aria-disabled={claim.other !== undefined || undefined}
        >
          {moveLabel(move)}
        </Button>
      </footer>
    </Form>
  )
}
