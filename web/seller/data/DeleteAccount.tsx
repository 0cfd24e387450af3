import { useState } from 'react'
import type { FieldError } from '#contract/errors.ts'
import { routes } from '#contract/routes.ts'
import { PasswordDialog } from '#web/credentials/PasswordDialog.tsx'
import { TextLink } from '#web/kit/Button.tsx'
import { Notice } from '#web/kit/Notice.tsx'
import { useNavigate } from '#web/kit/router/index.ts'
import { toast } from '#web/kit/toast.ts'
import { call } from '#web/wire/call.ts'
import { ApiError, messageOf } from '#web/wire/errors.ts'
import { useSetSession } from '#web/wire/session.ts'
import { paths } from '#web/words/paths.ts'
import { useWords } from '#web/words/words.ts'

/** Says what is deleted and what stays, and asks for the password. */
export function DeleteAccount({ open, onClose }: { open: boolean; onClose: () => void }) {
  const t = useWords()
  const setSession = useSetSession()
  const navigate = useNavigate()
  const [business, setBusiness] = useState<readonly FieldError[]>([])
  const close = () => {
    setBusiness([])
    onClose()
  }
  return (
    <PasswordDialog
      open={open}
      onClose={close}
      title={t('accountData.delete.title')}
      description={t('accountData.delete.forever')}
      label={t('accountData.delete.password')}
      submit={t('accountData.delete.confirm')}
      cancel={t('accountData.delete.cancel')}
      danger
      send={(password) => call(routes.deleteOwnAccount, { body: { password } })}
      onDone={async () => {
        // First, so that no screen asks to sign in again.
        await navigate(paths.home)
        setSession(null)
        toast({ title: t('accountData.delete.done'), description: t('accountData.delete.doneText') })
      }}
      failed={(error) => {
        const isOpen = error instanceof ApiError && error.code === 'open_business'
        setBusiness(isOpen ? error.errors : [])
        if (isOpen) return undefined
        return {
          title: t('accountData.delete.failed'),
          description: messageOf(error, t('site.tryAgain')),
        }
      }}
    >
      <div className="grid gap-4 text-sm">
        {business.length > 0 && <OpenBusiness business={business} />}
        <Points title={t('accountData.deleted.title')} points={t('accountData.deleted.points')} />
        <Points title={t('accountData.kept.title')} points={t('accountData.kept.points')} />
      </div>
    </PasswordDialog>
  )
}

/** What has to end first, each with the screen where it can. */
function OpenBusiness({ business }: { business: readonly FieldError[] }) {
  const t = useWords()
  return (
    <Notice tone="caution" title={t('accountData.open.title')} urgent>
      <ul className="grid list-disc gap-1 pl-5">
        {business.map(({ path, code, message }) => (
          <li key={`${path} ${code}`}>
            {message}{' '}
            <TextLink to={path === 'account' ? paths.contact : paths.processing}>
              {t(path === 'account' ? 'accountData.open.contact' : 'accountData.open.card')}
            </TextLink>
          </li>
        ))}
      </ul>
    </Notice>
  )
}

/** @param points one per line */
function Points({ title, points }: { title: string; points: string }) {
  return (
    <section>
      <h3 className="font-semibold">{title}</h3>
      <ul className="list-disc pl-5">
        {points.split('\n').map((point) => (
          <li key={point}>{point}</li>
        ))}
      </ul>
    </section>
  )
}
