import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ImportResult } from '#contract/payouts.ts'
import { routes } from '#contract/routes.ts'
import { Button } from '#web/kit/Button.tsx'
import { cx } from '#web/kit/cx.ts'
import { Dialog } from '#web/kit/Dialog.tsx'
import { upload } from '#web/wire/upload.ts'
import { refreshPayouts } from '../shell/payout-queries.ts'
import { UploadField } from './UploadField.tsx'

/** Imports a file with returns or results, and lists the result of each line. */
export function ImportDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => next || onClose()}
      wide
      title="Import a file"
      description="Returns and notifications of change from the bank (NACHA), or PayPal's report of a payment file (CSV). Importing a file again changes nothing."
    >
      <Import onDone={onClose} />
    </Dialog>
  )
}

function Import({ onDone }: { onDone: () => void }) {
  const client = useQueryClient()
  const sending = useMutation({
    mutationFn: (file: File) =>
      upload(routes.importPayoutResults, { fields: {}, files: [file], filesName: 'file' }),
    onSuccess: () => refreshPayouts(client),
  })
  return (
    <div className="grid gap-4">
      <UploadField sending={sending} pending="Importing..." failed="The file could not be imported." />
      {sending.data && (
        <>
          <Result result={sending.data} />
          <Button className="justify-self-end" onClick={onDone}>
            Done
          </Button>
        </>
      )}
    </div>
  )
}

function Result({ result: { matched, already, unmatched } }: { result: ImportResult }) {
  const figures = [
    ['Recorded', matched],
    ['Recorded before', already],
    ['Not matched', unmatched.length],
  ] as const
  return (
    <div role="status" className="grid gap-4">
      <dl className="grid grid-cols-3 gap-4">
        {figures.map(([name, count]) => (
          <div key={name}>
            <dt className="text-soft text-sm">{name}</dt>
            <dd
              className={cx(
                'figures font-semibold text-2xl',
                name === 'Not matched' && count > 0 && 'text-caution',
              )}
            >
              {count.toLocaleString('en-US')}
            </dd>
          </div>
        ))}
      </dl>
      {unmatched.length > 0 && (
        <section aria-label="Lines that did not match" className="grid gap-2">
          <h3 className="text-base">Lines that did not match</h3>
          <p className="text-soft text-sm">
            Nothing was recorded for them. Check them with the bank or service.
          </p>
          <ol className="max-h-72 divide-y divide-line overflow-y-auto rounded-md border border-line text-sm">
            {unmatched.map(({ line, text }) => (
              <li key={`${line} ${text}`} className="grid grid-cols-[4.5rem_minmax(0,1fr)] gap-3 px-3 py-2">
                <span className="figures text-soft">Line {line}</span>
                <span className="wrap-anywhere text-pretty">{text}</span>
              </li>
            ))}
          </ol>
        </section>
      )}
    </div>
  )
}
