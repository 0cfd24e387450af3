import { useQuery, useQueryClient } from '@tanstack/react-query'
import { routes } from '#contract/routes.ts'
import { clearableStatuses, type Status, statuses } from '#domain/submission.ts'
import { ActionForm } from '#web/forms/ActionForm.tsx'
import { toastOf } from '#web/forms/use-call-form.ts'
import { once } from '#web/kit/once.ts'
import { TextField } from '#web/kit/TextField.tsx'
import { call } from '#web/wire/call.ts'
import { read } from '#web/wire/read.ts'
import { translate } from '#web/words/words.ts'
import { refreshPayouts } from '../shell/payout-queries.ts'

const CONFIRMATION = 'DELETE'

export function ClearForm({ onClose, onCleared }: { onClose: () => void; onCleared: () => void }) {
  const client = useQueryClient()
  return (
    <ActionForm
      start={{ typed: '' }}
      check={({ typed }) =>
        typed.trim() === CONFIRMATION
          ? []
          : [{ path: 'typed', code: 'confirmation_not_typed', params: { word: CONFIRMATION } }]
      }
      send={() => call(routes.clearSubmissions, {})}
      failed={toastOf('Clear Failed', 'Failed to clear submissions.')}
      done={({ message }) => ({ title: 'Submissions Cleared', description: message })}
      refreshes={[routes.staffTransactions, routes.staffUsers]}
      onDone={() => {
        onClose()
        onCleared()
        void client.resetQueries({ queryKey: [routes.staffSubmissions.path] })
        void refreshPayouts(client)
      }}
      onCancel={onClose}
      submit="Clear All"
      danger
    >
      {(field) => (
        <>
          <RemovalCount />
          <TextField
            label={`Type ${CONFIRMATION} to confirm`}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            {...field('typed')}
          />
        </>
      )}
    </ActionForm>
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
