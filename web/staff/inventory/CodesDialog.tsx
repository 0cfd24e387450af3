import { useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useState } from 'react'
import {
  CODE_EXPORT_HOURS,
  type CodeExport,
  MAX_EXPORTED_CODES,
  type StockItem,
} from '#contract/inventory.ts'
import { passwordCheck } from '#contract/passkeys.ts'
import { routes } from '#contract/routes.ts'
import { ActionForm } from '#web/forms/ActionForm.tsx'
import { Button } from '#web/kit/Button.tsx'
import { Dialog } from '#web/kit/Dialog.tsx'
import { saveFile } from '#web/kit/save-file.ts'
import { Time } from '#web/kit/Time.tsx'
import { callFile } from '#web/wire/call-file.ts'
import { read } from '#web/wire/read.ts'
import { OwnPasswordField } from '../facts/action-fields.tsx'
import { cards } from '../facts/stock-words.ts'

interface CodesDialogProps {
  items: readonly StockItem[] | undefined
  onClose: () => void
}

/** Asks for the password, and saves the numbers of the chosen cards, or of an earlier file, as a file. */
export function CodesDialog({ items, onClose }: CodesDialogProps) {
  // The dialog keeps its content while it fades out.
  const [shown, setShown] = useState(items)
  const [earlier, setEarlier] = useState<CodeExport>()
  if (items && items !== shown) {
    setShown(items)
    setEarlier(undefined)
  }
  if (!shown) return null
  const chosen = shown.slice(0, MAX_EXPORTED_CODES).map(({ id }) => id)
  return (
    <Dialog
      open={items !== undefined}
      onOpenChange={(next) => next || onClose()}
      title={
        earlier
          ? `Download the numbers of ${cards(earlier.count)} again`
          : `Export the numbers of ${cards(chosen.length)}`
      }
      description={`A CSV file with numbers, PINs and expiration dates, for you only, for ${CODE_EXPORT_HOURS} hours. Each download counts as a reveal of each card, in the audit log and for its seller.`}
    >
      {earlier ? (
        <CodesForm
          key={earlier.id}
          count={earlier.count}
          send={(password) => callFile(routes.codeExport, { id: earlier.id }, { password })}
          action="Download again"
          onDone={onClose}
          onCancel={() => setEarlier(undefined)}
        />
      ) : (
        <CodesForm
          count={chosen.length}
          send={(password) => callFile(routes.exportCodes, {}, { ids: chosen, password })}
          action="Export numbers"
          onDone={onClose}
          onCancel={onClose}
        />
      )}
      {!earlier && <EarlierFiles onChoose={setEarlier} />}
    </Dialog>
  )
}

interface CodesFormProps {
  count: number
  send: (password: string) => ReturnType<typeof callFile>
  /** The label of the button. */
  action: string
  onDone: () => void
  onCancel: () => void
}

function CodesForm({ count, send, action, onDone, onCancel }: CodesFormProps) {
  return (
    <ActionForm
      schema={passwordCheck}
      start={{ password: '' }}
      send={({ password }) => send(password)}
      failed="The file could not be made."
      done={({ name }) => ({ title: 'File Downloaded', description: `${name}: ${cards(count)}` })}
      refreshes={[routes.codeExports, routes.auditLog]}
      onDone={(file) => {
        saveFile(file)
        onDone()
      }}
      onCancel={onCancel}
      submit={action}
    >
      {(field) => <OwnPasswordField {...field('password')} />}
    </ActionForm>
  )
}

/** The person's own files that have not expired. */
function EarlierFiles({ onChoose }: { onChoose: (file: CodeExport) => void }) {
  const { data = [] } = useQuery({ ...read(routes.codeExports, {}), staleTime: 0 })
  if (data.length === 0) return null
  return (
    <section aria-label="Your earlier files" className="grid gap-1 border-line border-t pt-4">
      <h3 className="text-base">Your earlier files</h3>
      <ul className="divide-y divide-line">
        {data.map((file) => (
          <li key={file.id} className="flex flex-wrap items-center justify-between gap-2 py-1 text-sm">
            <span>
              {cards(file.count)}, <Time at={file.createdAt} as="dateTime" />
              <span className="block text-soft">
                until <Time at={file.expiresAt} as="dateTime" />
              </span>
            </span>
            <Button variant="secondary" size="sm" onClick={() => onChoose(file)}>
              <Download />
              Download
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
