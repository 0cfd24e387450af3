import { Button } from '#web/kit/Button.tsx'
import { Notice } from '#web/kit/Notice.tsx'
import { useWords } from '#web/words/words.ts'

interface CardNumberWarningProps {
  onEdit: () => void
  onSend: () => void
}

/** Asks before a card number is sent in a message. */
export function CardNumberWarning({ onEdit, onSend }: CardNumberWarningProps) {
  const t = useWords()
  return (
    <Notice
      tone="caution"
      urgent
      title={t('chat.cardNumber.title')}
      action={
        <div className="flex flex-wrap gap-2">
          <Button size="sm" onClick={onEdit}>
            {t('chat.cardNumber.edit')}
          </Button>
          <Button size="sm" variant="secondary" onClick={onSend}>
            {t('chat.cardNumber.send')}
          </Button>
        </div>
      }
    >
      {t('chat.cardNumber.text')}
    </Notice>
  )
}
