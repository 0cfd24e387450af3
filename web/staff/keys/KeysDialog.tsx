import { Dialog } from '../../ui/Dialog.tsx'
import { KeyCap } from './KeyHint.tsx'
import { keysOf } from './key-table.ts'

interface KeysDialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
}

export function KeysDialog(props: KeysDialogProps) {
  return (
    <Dialog {...props} wide title="Keys" description="They rest while you type and while a dialog is open.">
      <div className="grid gap-x-10 gap-y-6 md:grid-cols-2">
        <Keys where="Submissions" />
        <div className="grid content-start gap-6">
          <Keys where="Photo viewer" />
          <Keys where="Tabs" />
        </div>
      </div>
    </Dialog>
  )
}

function Keys({ where }: { where: Parameters<typeof keysOf>[0] }) {
  return (
    <section className="grid content-start gap-2">
      <h3 className="font-semibold text-sm text-soft">{where}</h3>
      <dl className="grid gap-1.5">
        {keysOf(where).map(({ cap, does }) => (
          <div key={cap} className="grid grid-cols-[2.75rem_1fr] items-baseline gap-3 text-sm">
            <dt>
              <span className="sr-only">{cap}</span>
              <KeyCap className="inline-grid">{cap}</KeyCap>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
