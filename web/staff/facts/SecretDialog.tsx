import type { ReactNode } from 'react'
import { Button } from '#web/kit/Button.tsx'
import { Dialog, useLast } from '#web/kit/Dialog.tsx'
import { CopyButton } from './CopyButton.tsx'

export interface NewSecret {
  title: string
  secret: string
}

interface SecretDialogProps {
  /** What is copied, such as "token". */
  name: string
  /** Open while there is one. */
  made: NewSecret | undefined
  onClose: () => void
  /** How it is used. */
  children: ReactNode
}

/** Shows a new secret, which no later answer has. */
export function SecretDialog({ name, made, onClose, children }: SecretDialogProps) {
  const shown = useLast(made)
  if (!shown) return null
  return (
    <Dialog
      open={made !== undefined}
      onOpenChange={(next) => next || onClose()}
      title={shown.title}
      description={`Copy the ${name} now. It is not shown again.`}
    >
      <div className="grid gap-4">
        <p className="flex items-center justify-between gap-3 rounded-md border border-line bg-sunken px-3 py-2">
          <code className="wrap-anywhere min-w-0 select-all text-sm">{shown.secret}</code>
          <CopyButton name={name} value={shown.secret} />
        </p>
        <p className="text-soft">{children}</p>
        <div className="flex justify-end">
          <Button onClick={onClose}>Done</Button>
        </div>
      </div>
    </Dialog>
  )
}
