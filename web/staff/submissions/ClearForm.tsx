import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { routes } from '#contract/routes.ts'
import { clearableStatuses, type Status, statuses } from '#domain/submission.ts'
import { Form, FormActions } from '#web/kit/Form.tsx'
import { once } from '#web/kit/once.ts'
import { TextField } from '#web/kit/TextField.tsx'
import { toast } from '#web/kit/toast.ts'
import { call } from '#web/wire/call.ts'
import { toastFailure } from '#web/wire/errors.ts'
import { read, refresh } from '#web/wire/read.ts'
import { translate } from '#web/words/words.ts'
import { refreshPayouts } from '../payouts/payout-queries.ts'

const CONFIRMATION = 'DELETE'

export function ClearForm({ onClose, onCleared }: { onClose: () => void; onCleared: () => void }) {
  const client = useQueryClient()
  const [typed, setTyped] = useState('')
  const [pressed, setPressed] = useState(false)
  const confirmed = typed.trim() === CONFIRMATION

  const clear = useMutation({
    mutationFn: () => call(routes.clearSubmissions, {}),
    onSuccess: ({ message }) => {
      toast({ title: 'Submissions Cleared', description: message })
      onClose()
      onCleared()
      void client.resetQueries({ queryKey: [routes.staffSubmissions.path] })
      void refreshPayouts(client)
      return refresh(client, routes.staffTransactions, routes.staffUsers)
    },
    onError: toastFailure('Clear Failed', 'Failed to clear submissions.'),
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    setPressed(true)
    if (confirmed && !clear.isPending) clear.mutate()
  }

  return (
    <Form onSubmit={submit}>
      <RemovalCount />
      <TextField
        label={`Type ${CONFIRMATION} to confirm`}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        error={pressed && !confirmed ? `Type ${CONFIRMATION} in capital letters` : undefined}
      />
      <FormActions
        variant="danger"
        loading={clear.isPending}
        aria-disabled={!confirmed || undefined}
        onCancel={onClose}
      >
        Clear All
      </FormActions>
    </Form>
  )
}

const kept = statuses.filter((status) => !clearableStatuses.includes(status))
const list = once(() => new Intl.ListFormat('en-US', { type: 'disjunction' }))

function named(some: readonly Status[]): string {
  return list().format(some.map((status) => translate()(`staffStatuses.${status}`)))
}

/** What will be removed, counted when the dialog opens. */
function RemovalCount() {
  const count = useQuery({ ...read(routes.clearableSubmissions, {}), staleTime: 0 })
  const staying = `${named(kept)} submissions are kept.`
  if (count.isPending) return <p role="status">Counting the submissions...</p>
  if (count.isError) {
    return (
      <p>
        All {named(clearableStatuses)} submissions will be removed, not only the filtered ones. {staying}
      </p>
    )
  }
  const { total, byStatus } = count.data
  if (total === 0) return <p>There is nothing to remove. {staying}</p>
  return (
    <div className="grid gap-1">
      <p>
        {total === 1 ? '1 submission' : `${total} submissions`} will be removed, not only the filtered ones:
      </p>
      <ul aria-label="To be removed" className="list-disc pl-5">
        {clearableStatuses.map(
          (status) =>
            byStatus[status] && (
              <li key={status}>
                {byStatus[status]} {translate()(`staffStatuses.${status}`)}
              </li>
            ),
        )}
      </ul>
      <p>{staying}</p>
    </div>
  )
}
