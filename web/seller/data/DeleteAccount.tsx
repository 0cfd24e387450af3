import { useState } from 'react'
import type { FieldError } from '#contract/errors.ts'
import { accountDeletion } from '#contract/own-data.ts'
import { routes } from '#contract/routes.ts'
import { Button, TextLink } from '#web/kit/Button.tsx'
import { Dialog } from '#web/kit/Dialog.tsx'
import { Form } from '#web/kit/Form.tsx'
import { Notice } from '#web/kit/Notice.tsx'
import { useNavigate } from '#web/kit/router/index.ts'
import { TextField } from '#web/kit/TextField.tsx'
import { toast } from '#web/kit/toast.ts'
import { call } from '#web/wire/call.ts'
import { ApiError, messageOf } from '#web/wire/errors.ts'
import { useSetSession } from '#web/wire/session.ts'
import { useCallForm } from '#web/wire/use-call-form.ts'
import { paths } from '#web/words/paths.ts'
import { useWords } from '#web/words/words.ts'

/** Says what is deleted and what stays, and asks for the password. */
export function DeleteAccount({ open, onClose }: { open: boolean; onClose: () => void }) {
  const t = useWords()
  const setSession = useSetSession()
  const navigate = useNavigate()
  const [business, setBusiness] = useState<readonly FieldError[]>([])
  const { form, sending, submit, field } = useCallForm({
    schema: accountDeletion,
    start: { password: '' },
    send: (body) => call(routes.deleteOwnAccount, { body }),
    onDone: async () => {
      // First, so that no screen asks to sign in again.
      await navigate(paths.home)
      setSession(null)
      toast({ title: t('accountData.delete.done'), description: t('accountData.delete.doneText') })
    },
    failed: (error) => {
      const isOpen = error instanceof ApiError && error.code === 'open_business'
      setBusiness(isOpen ? error.errors : [])
      if (isOpen) return undefined
      return {
        title: t('accountData.delete.failed'),
        description: messageOf(error, t('site.tryAgain')),
      }
    },
  })
  const close = () => {
    setBusiness([])
    form.reset({ password: '' })
    onClose()
  }
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => next || close()}
      title={t('accountData.delete.title')}
      description={t('accountData.delete.forever')}
      actions={
        <>
          <Button variant="secondary" onClick={close}>
            {t('accountData.delete.cancel')}
          </Button>
          <Button variant="danger" loading={sending.isPending} onClick={submit}>
            {t('accountData.delete.confirm')}
          </Button>
        </>
      }
    >
      <div className="grid gap-4 text-sm">
        {business.length > 0 && <OpenBusiness business={business} />}
        <Points title={t('accountData.deleted.title')} points={t('accountData.deleted.points')} />
        <Points title={t('accountData.kept.title')} points={t('accountData.kept.points')} />
        <Form onSubmit={submit}>
          <TextField
            label={t('accountData.delete.password')}
            type="password"
            autoComplete="current-password"
            {...field('password')}
          />
        </Form>
      </div>
    </Dialog>
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
