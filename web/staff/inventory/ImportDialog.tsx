import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { MAX_IMPORT_LINES } from '#contract/inventory.ts'
import { routes } from '#contract/routes.ts'
import { Button } from '#web/kit/Button.tsx'
import { Dialog } from '#web/kit/Dialog.tsx'
import { FileField } from '#web/kit/FileField.tsx'
import { Form, FormActions } from '#web/kit/Form.tsx'
import { Notice } from '#web/kit/Notice.tsx'
import { call } from '#web/wire/call.ts'
import { messageOf } from '#web/wire/errors.ts'
import { refresh } from '#web/wire/read.ts'
import { cards } from './stock-words.ts'

/** Changes many cards by a CSV file, and lists the result of each line. */
export function ImportDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => next || onClose()}
      title="Import CSV"
      description={`The first line names the columns: id, state, channel, soldAt and proceeds. The export has them. At most ${MAX_IMPORT_LINES.toLocaleString('en-US')} lines. Importing a file twice changes nothing the second time.`}
    >
      <ImportForm onClose={onClose} />
    </Dialog>
  )
}

function ImportForm({ onClose }: { onClose: () => void }) {
  const client = useQueryClient()
  const [file, setFile] = useState<File>()
  const sending = useMutation({
    mutationFn: async (chosen: File) => call(routes.importStock, { body: { csv: await chosen.text() } }),
    onSettled: () => refresh(client, routes.inventory, routes.stockTotals, routes.auditLog),
  })
  const { data, error, isPending } = sending

  function submit(event: FormEvent) {
    event.preventDefault()
    if (file && !isPending) sending.mutate(file)
  }

  if (data) {
    return (
      <div className="grid gap-4">
        <Notice
          tone={data.refused.length > 0 ? 'caution' : 'positive'}
          title={`${cards(data.changed)} changed`}
          urgent
        >
          {data.already > 0 && <p>{cards(data.already)} already matched the file.</p>}
          {data.refused.length > 0 && (
            <ul className="grid max-h-72 gap-1 overflow-y-auto">
              {data.refused.map(({ line, text }) => (
                <li key={line}>
                  Line {line}: {text}
                </li>
              ))}
            </ul>
          )}
        </Notice>
        <div>
          <Button onClick={onClose}>Done</Button>
        </div>
      </div>
    )
  }
  return (
    <Form onSubmit={submit}>
      <FileField
        label="CSV file"
        accept=".csv,text/csv"
        error={error ? messageOf(error, 'The file could not be imported.') : undefined}
        onFile={(chosen) => {
          setFile(chosen)
          sending.reset()
        }}
      />
      <FormActions loading={isPending} aria-disabled={file === undefined || undefined} onCancel={onClose}>
        Import
      </FormActions>
    </Form>
  )
}
