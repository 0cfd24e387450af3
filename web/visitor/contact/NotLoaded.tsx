import { ButtonLink } from '#web/kit/Button.tsx'
import { Failure, Notice } from '#web/kit/Notice.tsx'
import { ApiError, messageOf } from '#web/wire/errors.ts'
import { paths } from '#web/words/paths.ts'
import { useWords } from '#web/words/words.ts'

/** Instead of a conversation that does not exist, continues in a mailed link, or could not be loaded. */
export function NotLoaded({ error, hasMoved, onRetry }: NotLoadedProps) {
  const t = useWords()
  const unknown = error instanceof ApiError && (error.status === 404 || error.status === 400)
  if (!unknown) return <Failure message={messageOf(error, t('contact.chat.failed'))} onRetry={onRetry} />
  return (
    <Notice
      tone="caution"
      title={t(hasMoved ? 'contact.chat.moved' : 'contact.chat.unknown')}
      action={<ButtonLink to={paths.contact}>{t('contact.chat.contact')}</ButtonLink>}
    >
      {t(hasMoved ? 'contact.chat.movedText' : 'contact.chat.unknownText')}
    </Notice>
  )
}

interface NotLoadedProps {
  error: Error | null
  hasMoved: boolean
  onRetry: () => void
}
