import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { routes } from '#contract/routes.ts'
import { clearableStatuses, type Status, statuses, statusRules } from '#domain/submission.ts'
import { Button } from '#web/kit/Button.tsx'
import { Dialog } from '#web/kit/Dialog.tsx'
import { Form } from '#web/kit/Form.tsx'
import { once } from '#web/kit/once.ts'
import { TextField } from '#web/kit/TextField.tsx'
import { toast } from '#web/kit/toast.ts'
import { call } from '#web/wire/call.ts'
import { messageOf } from '#web/wire/errors.ts'
import { read, refresh } from '#web/wire/read.ts'

const CONFIRMATION = 'DELETE'

const kept = statuses.filter((status) => !clearableStatuses.includes(status))
const list = once(() => new Intl.ListFormat('en-US', { type: 'disjunction' }))

function named(some: readonly Status[]): string {
  return list().format(some.map((status) => statusRules[status].label))
}

export function ClearAll({ onCleared }: { onCleared: () => void }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button
        variant="quiet"
        size="sm"
        onClick={() => setOpen(true)}
        icon={<Trash2 aria-hidden="true" className="size-4" />}
      >
        Clear All
      </Button>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title="Clear All"
        description="Removes submissions from every list and erases their numbers and photos. This can't be undone."
      >
        <ClearForm
          onClose={() => setOpen(false)}
          onCleared={() => {
            setOpen(false)
            onCleared()
          }}
        />
      </Dialog>
    </>
  )
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
                {byStatus[status]} {statusRules[status].label}
              </li>
            ),
        )}
      </ul>
      <p>{staying}</p>
    </div>
  )
}

function ClearForm({ onClose, onCleared }: { onClose: () => void; onCleared: () => void }) {
  const client = useQueryClient()
  const [typed, setTyped] = useState('')
  const [pressed, setPressed] = useState(false)
  const confirmed = typed.trim() === CONFIRMATION

  const clear = useMutation({
    mutationFn: () => call(routes.clearSubmissions, {}),
    onSuccess: ({ message }) => {
      toast({ title: 'Submissions Cleared', description: message })
      onCleared()
      void client.resetQueries({ queryKey: [routes.staffSubmissions.path] })
      return refresh(client, routes.staffTransactions, routes.staffUsers)
    },
    onError: (error) =>
      toast({
        title: 'Clear Failed',
        description: messageOf(error, 'Failed to clear submissions.'),
        variant: 'destructive',
      }),
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
      <footer className="flex flex-col-reverse gap-2 md:flex-row md:justify-end">
        <Button variant="secondary" onClick={onClose}>
          Cancel
        </Button>
        <Button
          type="submit"
          variant="danger"
          loading={clear.isPending}
          aria-disabled={confirmed ? undefined : true}
        >
          Clear All
        </Button>
      </footer>
    </Form>
  )
}
