import { Button } from '../ui/Button.tsx'
import { Notice } from '../ui/Notice.tsx'

interface CardNumberWarningProps {
  onEdit: () => void
  onSend: () => void
}

/** Stands between a card number and the chat, where it doesn't belong. */
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
      Support never needs it in a chat. Card numbers and PINs are encrypted only in the submission form.
    </Notice>
  )
}
