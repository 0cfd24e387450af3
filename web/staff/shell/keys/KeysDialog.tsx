import { CheckField } from '#web/kit/CheckField.tsx'
import { cx } from '#web/kit/cx.ts'
import { Dialog } from '#web/kit/Dialog.tsx'
import { KeyCap } from './KeyHint.tsx'
import { type KeyPlace, keysOf } from './key-table.ts'
import { switchShortcuts, useShortcutsOn } from './use-keys.ts'

interface KeysDialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** The screen whose keys are listed. */
  of?: 'Submissions' | KeyPlace
}

export function KeysDialog({ of = 'Submissions', ...props }: KeysDialogProps) {
  const on = useShortcutsOn()
  return (
    <Dialog {...props} wide title="Keys" description="Shortcuts are off while you type or a dialog is open.">
      <CheckField
        label={
          <span>
            Single-key shortcuts
            <span className="block text-soft text-sm">
              Letters, digits and symbols. This browser remembers your choice. Arrows and Esc always work.
            </span>
          </span>
        }
        checked={on}
        onChange={({ currentTarget }) => switchShortcuts(currentTarget.checked)}
        className="w-fit shrink-0"
      />
      {of === 'Submissions' ? (
        <div data-many-keys className="grid gap-x-8 gap-y-5 md:grid-cols-2 lg:grid-cols-3">
          <div className="grid content-start gap-5">
            <Keys title="Decide" />
            <Keys title="Tabs" />
          </div>
          <Keys title="Move around" />
          <div className="grid content-start gap-5">
            <Keys title="Look closer" />
            <Keys title="Photo viewer" />
          </div>
        </div>
      ) : (
        <Keys title={of} inColumns />
      )}
    </Dialog>
  )
}

function Keys({ title, inColumns = false }: { title: KeyPlace; inColumns?: boolean }) {
  return (
    <section className="grid content-start gap-1.5">
      <h3 className="font-semibold text-sm text-soft">{title}</h3>
      <dl className={cx('grid gap-0.5', inColumns && 'sm:block sm:columns-2 sm:gap-x-8')}>
        {keysOf(title).map(({ cap, does }) => (
          <div
            key={cap}
            className="grid grid-cols-[3.25rem_1fr] items-baseline gap-3 break-inside-avoid py-px text-sm"
          >
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
