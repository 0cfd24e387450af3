import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { routes } from '#contract/routes.ts'
import { type StaffSeller, stateChange } from '#contract/sellers.ts'
import { may } from '#domain/roles.ts'
import { type SellerState as State, sellerStates } from '#domain/seller-state.ts'
import { toastUnlessAtField, useCallForm } from '#web/forms/use-call-form.ts'
import { Button } from '#web/kit/Button.tsx'
import { ChoiceField } from '#web/kit/ChoiceField.tsx'
import { Dialog } from '#web/kit/Dialog.tsx'
import { Form, FormActions } from '#web/kit/Form.tsx'
import { toast } from '#web/kit/toast.ts'
import { call } from '#web/wire/call.ts'
import { refresh } from '#web/wire/read.ts'
import { ReasonField } from '../facts/action-fields.tsx'
import { SellerStateBadge, stateWords } from '../facts/badges.tsx'
import { RelativeTime } from '../shell/RelativeTime.tsx'
import { useStaff } from '../shell/use-staff.ts'

/** What the seller may do, why, and the button that changes it. */
export function SellerState({ seller }: { seller: StaffSeller }) {
  const { admin } = useStaff()
  const [changing, setChanging] = useState(false)
  const { state, stateChange: last, username } = seller
  return (
    <section aria-label="State" className="grid gap-2">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 className="flex items-center gap-2 text-base">
          State <SellerStateBadge state={state} always />
        </h2>
        {may(admin.role, 'restrict_sellers') && (
          <Button variant="secondary" size="sm" onClick={() => setChanging(true)}>
            Change state
          </Button>
        )}
      </div>
      <p className="text-soft text-sm">{stateWords[state].meaning}</p>
      {last && (
        <div className="grid gap-1 border-line border-t pt-2 text-sm">
          <p className="wrap-anywhere whitespace-pre-line">{last.text}</p>
          <p className="text-soft">
            {last.by} · <RelativeTime at={last.at} />
          </p>
        </div>
      )}
      <Dialog
        open={changing}
        onOpenChange={setChanging}
        title="Change state"
        description={`What ${username} may do from now on. The audit log records the change.`}
      >
        <StateForm seller={seller} onDone={() => setChanging(false)} />
      </Dialog>
    </section>
  )
}

const choices = sellerStates.map((value) => ({ value, label: stateWords[value].name }))

function StateForm({ seller, onDone }: { seller: StaffSeller; onDone: () => void }) {
  const client = useQueryClient()
  const otherState = seller.state === 'active' ? 'held' : 'active'
  const { form, sending, submit, field } = useCallForm({
    schema: stateChange,
    start: { state: otherState as State, reason: '', from: seller.state },
    send: (body) => call(routes.changeSellerState, { query: { id: seller.id }, body }),
    onDone: ({ state, username }) => {
      toast({
        title: 'State Changed',
        description: `${username} is now ${stateWords[state].name.toLowerCase()}.`,
      })
      onDone()
      void refresh(client, routes.staffSeller, routes.notes, routes.staffUsers, routes.staffSubmission)
    },
    failed: (error) => {
      // The message names the new state, so sending again is a decision about that one.
      form.setValue('from', seller.state)
      return toastUnlessAtField('State Not Changed', 'The state could not be changed.')(error)
    },
  })
  const { state } = form.values
  return (
    <Form onSubmit={submit}>
      <div className="grid gap-2">
        <ChoiceField
          label="State"
          name="state"
          choices={choices}
          selected={state}
          onSelect={(chosen) => form.setValue('state', chosen)}
        />
        <p aria-live="polite" className="text-soft text-sm">
          {stateWords[state].meaning}
        </p>
      </div>
      <ReasonField hint="Only staff see it" {...field('reason')} autoFocus={false} />
      <FormActions
        variant={state === 'active' ? 'primary' : 'danger'}
        loading={sending.isPending}
        onCancel={onDone}
      >
        {actions[state]}
      </FormActions>
    </Form>
  )
}

const actions = { active: 'Make active', held: 'Hold payments', blocked: 'Block' } as const
