import { type ReactNode, useState } from 'react'
import { looksLikeCardNumber } from '#domain/card-number.ts'
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

/** Sends a form's message, but asks first if it looks like it has a card number. */
export function useCardNumberCheck({ send, edit }: { send: () => void; edit: () => void }) {
  const [isDoubted, setIsDoubted] = useState(false)
  const forget = () => setIsDoubted(false)
  const warning: ReactNode = isDoubted && (
    <div ref={bringIntoView}>
      <CardNumberWarning
        onEdit={() => {
          forget()
          edit()
        }}
        onSend={() => {
          forget()
          send()
        }}
      />
    </div>
  )
  function sendChecked(message: string) {
    if (looksLikeCardNumber(message)) setIsDoubted(true)
    else send()
  }
  return { sendChecked, warning, forget }
}

/** Focuses the first button: the button that sends the form is pushed out of view. */
function bringIntoView(warning: HTMLElement | null) {
  warning?.querySelector('button')?.focus({ preventScroll: true })
  warning?.scrollIntoView({ block: 'nearest' })
}
