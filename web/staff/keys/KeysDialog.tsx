import { Dialog } from '#web/kit/Dialog.tsx'
import { KeyCap } from './KeyHint.tsx'
import { keysOf } from './key-table.ts'
import { switchShortcuts, useShortcutsOn } from './use-keys.ts'

interface KeysDialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** The screen whose keys are listed. */
  of?: 'Submissions' | 'Payouts' | 'Inventory' | 'Chat'
}

export function KeysDialog({ of = 'Submissions', ...props }: KeysDialogProps) {
  const on = useShortcutsOn()
  return (
    <Dialog {...props} wide title="Keys" description="Shortcuts are off while you type or a dialog is open.">
      <label className="flex min-h-11 w-fit shrink-0 items-center gap-3">
        <input
          type="checkbox"
          checked={on}
          onChange={({ currentTarget }) => switchShortcuts(currentTarget.checked)}
          className="size-5 shrink-0 accent-accent"
        />
        <span>
          Single-key shortcuts
          <span className="block text-soft text-sm">
            Letters, digits and symbols. This browser remembers your choice. Arrows and Esc always work.
          </span>
        </span>
      </label>
      {of === 'Submissions' ? (
        <div className="grid gap-x-10 gap-y-6 md:grid-cols-2">
          <Keys where="Submissions" />
          <div className="grid content-start gap-6">
            <Keys where="Photo viewer" />
            <Keys where="Tabs" />
            <Keys where="Chat" />
          </div>
        </div>
      ) : (
        <Keys where={of} />
      )}
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
