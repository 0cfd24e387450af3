import { useState } from 'react'
import { MAX_IMPORT_LINES } from '#contract/inventory.ts'
import type { Answer } from '#contract/route.ts'
import { routes } from '#contract/routes.ts'
import { ActionForm } from '#web/forms/ActionForm.tsx'
import { Button } from '#web/kit/Button.tsx'
import { Dialog } from '#web/kit/Dialog.tsx'
import { FileField } from '#web/kit/FileField.tsx'
import { Notice } from '#web/kit/Notice.tsx'
import { call } from '#web/wire/call.ts'
import { cards } from '../facts/stock-words.ts'

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
  const [result, setResult] = useState<Answer<typeof routes.importStock>>()
  if (result) {
    return (
      <div className="grid gap-4">
        <Notice
          tone={result.refused.length > 0 ? 'caution' : 'positive'}
          title={`${cards(result.changed)} changed`}
          urgent
        >
          {result.already > 0 && <p>{cards(result.already)} already matched the file.</p>}
          {result.refused.length > 0 && (
            <ul className="grid max-h-72 gap-1 overflow-y-auto">
              {result.refused.map(({ line, text }) => (
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
    <ActionForm
      start={{ file: undefined as File | undefined }}
      check={({ file }) => (file ? [] : [{ path: 'file', code: 'file_required' }])}
      send={async (_, { file }) => call(routes.importStock, { body: { csv: (await file?.text()) ?? '' } })}
      failed="The file could not be imported."
      refreshes={[routes.inventory, routes.stockTotals, routes.auditLog]}
      onDone={setResult}
      onCancel={onClose}
      submit="Import"
    >
      {(field, form) => (
        <FileField
          label="CSV file"
          accept=".csv,text/csv"
          error={field('file').error}
          onFile={(file) => form.setValue('file', file)}
        />
      )}
    </ActionForm>
  )
}
