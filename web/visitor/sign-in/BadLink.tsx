import { ButtonLink } from '#web/kit/Button.tsx'
import { Notice } from '#web/kit/Notice.tsx'
import { paths } from '#web/words/paths.ts'
import { useWords } from '#web/words/words.ts'

/** Instead of the form, if the emailed link cannot set a password. */
export function BadLink({ title }: { title: string }) {
  const t = useWords()
  return (
    <Notice
      tone="negative"
      title={title}
      urgent
      action={
        <ButtonLink to={paths.forgotPassword} variant="secondary">
          {t('signIn.reset.newLink')}
        </ButtonLink>
      }
    />
  )
}
