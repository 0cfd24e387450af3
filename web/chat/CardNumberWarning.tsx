import { Button } from '#web/kit/Button.tsx'
import { Notice } from '#web/kit/Notice.tsx'

interface CardNumberWarningProps {
  onEdit: () => void
  onSend: () => void
}

/** Asks before a card number is sent in a message. */
export function CardNumberWarning({ onEdit, onSend }: CardNumberWarningProps) {
  return (
    <Notice
      tone="caution"
      urgent
      title="This looks like a card number"
      action={
        <div className="flex flex-wrap gap-2">
          <Button size="sm" onClick={onEdit}>
            Edit message
          </Button>
          <Button size="sm" variant="secondary" onClick={onSend}>
            Send anyway
          </Button>
        </div>
      }
    >
      We never need it in a message. Card numbers and PINs belong in the submission form.
    </Notice>
  )
}
