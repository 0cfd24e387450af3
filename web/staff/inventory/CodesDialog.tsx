import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { z } from 'zod'
import { CODE_EXPORT_HOURS, MAX_EXPORTED_CODES, type StockItem } from '#contract/inventory.ts'
import { routes } from '#contract/routes.ts'
import { buttonClass } from '#web/kit/Button.tsx'
import { Dialog } from '#web/kit/Dialog.tsx'
import { Form, FormActions } from '#web/kit/Form.tsx'
import { PasswordField } from '#web/kit/PasswordField.tsx'
import { Time } from '#web/kit/Time.tsx'
import { toast } from '#web/kit/toast.ts'
import { addressOf } from '#web/wire/call.ts'
import { callFile } from '#web/wire/call-file.ts'
import { read, refresh } from '#web/wire/read.ts'
import { toastUnlessAtField, useCallForm } from '#web/wire/use-call-form.ts'
import { cards } from './stock-words.ts'

interface CodesDialogProps {
  items: readonly StockItem[] | undefined
  onClose: () => void
}

/** Asks for the password, and saves the numbers of the chosen cards as a file. */
export function CodesDialog({ items, onClose }: CodesDialogProps) {
  // The dialog keeps its content while it fades out.
  const [shown, setShown] = useState(items)
  if (items && items !== shown) setShown(items)
  if (!shown) return null
  const count = Math.min(shown.length, MAX_EXPORTED_CODES)
  return (
    <Dialog
      open={items !== undefined}
      onOpenChange={(next) => next || onClose()}
      title={`Export the numbers of ${cards(count)}`}
      description={`A CSV file with numbers, PINs and expiration dates, for you only. The audit log records it as a reveal of each card, with your name. You can download the same file again for ${CODE_EXPORT_HOURS} hours.`}
    >
      <CodesForm ids={shown.slice(0, count).map(({ id }) => id)} onDone={onClose} />
      <EarlierFiles />
    </Dialog>
  )
}

const fields = z.object({ password: z.string() })

function CodesForm({ ids, onDone }: { ids: string[]; onDone: () => void }) {
  const client = useQueryClient()
  const { sending, submit, field } = useCallForm({
    schema: fields,
    start: { password: '' },
    send: ({ password }) => callFile(routes.exportCodes, {}, { ids, password }),
    onDone: ({ bytes, name }) => {
      const address = URL.createObjectURL(bytes)
      Object.assign(document.createElement('a'), { href: address, download: name }).click()
      URL.revokeObjectURL(address)
      toast({ title: 'File Downloaded', description: `${name}: ${cards(ids.length)}` })
      void refresh(client, routes.codeExports, routes.auditLog)
      onDone()
    },
    failed: toastUnlessAtField('Nothing Exported', 'The file could not be made.'),
  })
  return (
    <Form onSubmit={submit}>
      <PasswordField label="Your password" autoFocus autoComplete="current-password" {...field('password')} />
      <FormActions loading={sending.isPending} onCancel={onDone}>
        Export numbers
      </FormActions>
    </Form>
  )
}

/** The person's own files that have not expired. */
function EarlierFiles() {
  const { data = [] } = useQuery({ ...read(routes.codeExports, {}), staleTime: 0 })
  if (data.length === 0) return null
  return (
    <section aria-label="Your earlier files" className="grid gap-1 border-line border-t pt-4">
      <h3 className="text-base">Your earlier files</h3>
      <ul className="divide-y divide-line">
        {data.map(({ id, count, createdAt, expiresAt }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-2 py-1 text-sm">
            <span>
              {cards(count)}, <Time at={createdAt} as="dateTime" />
              <span className="block text-soft">
                until <Time at={expiresAt} as="dateTime" />
              </span>
            </span>
            <a
              href={addressOf(routes.codeExport, { id })}
              download
              className={buttonClass({ variant: 'secondary', size: 'sm' })}
            >
              <Download />
              Download
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
