import { useQuery, useQueryClient } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import type { Passkey, passkeyRoutes } from '#contract/passkeys.ts'
import type { Route } from '#contract/route.ts'
import { PasswordDialog } from '#web/credentials/PasswordDialog.tsx'
import { toastUnlessAtField } from '#web/forms/use-call-form.ts'
import { Button } from '#web/kit/Button.tsx'
import { Failure } from '#web/kit/Notice.tsx'
import { SkeletonRows } from '#web/kit/Skeleton.tsx'
import { Time } from '#web/kit/Time.tsx'
import { toast } from '#web/kit/toast.ts'
import { call } from '#web/wire/call.ts'
import { messageOf } from '#web/wire/errors.ts'
import { read, refresh } from '#web/wire/read.ts'
import { Rich } from '#web/words/Rich.tsx'
import { useWords } from '#web/words/words.ts'

/** The routes of sellers or of staff. */
export interface PasskeyCalls {
  list: typeof passkeyRoutes.passkeys | typeof passkeyRoutes.adminPasskeys
  start: typeof passkeyRoutes.newPasskey | typeof passkeyRoutes.newAdminPasskey
  add: typeof passkeyRoutes.addPasskey | typeof passkeyRoutes.addAdminPasskey
  remove: typeof passkeyRoutes.removePasskey | typeof passkeyRoutes.removeAdminPasskey
  /** What a change of the passkeys also changes. */
  affected: readonly Route[]
}

/** The passkeys of the signed-in person. Adding and removing ask for the password. */
export function Passkeys({ calls }: { calls: PasskeyCalls }) {
  const t = useWords()
  const [adding, setAdding] = useState(false)
  const supported = document.documentElement.dataset.noPasskeys === undefined
  return (
    <>
      <List calls={calls} />
      {supported ? (
        <Button variant="secondary" onClick={() => setAdding(true)} className="sm:justify-self-start">
          {t('passkeys.add')}
        </Button>
      ) : (
        <p className="max-w-prose text-soft">
          {t(isUnfitAddress() ? 'passkeys.address' : 'passkeys.unsupported')}
        </p>
      )}
      <AddPasskey calls={calls} open={adding} onClose={() => setAdding(false)} />
    </>
  )
}

/** Passkeys need a secure page at a host with a name (web/app/early/page.js). */
const isUnfitAddress = () => !isSecureContext || /^[\d.]+$|^\[/.test(location.hostname)

function List({ calls }: { calls: PasskeyCalls }) {
  const t = useWords()
  const passkeys = useQuery(read(calls.list, {}))
  if (passkeys.isPending) return <SkeletonRows rows={1} label={t('passkeys.loading')} />
  if (passkeys.isError) {
    const message = messageOf(passkeys.error, t('passkeys.notLoaded'))
    return <Failure message={message} onRetry={() => void passkeys.refetch()} />
  }
  if (passkeys.data.length === 0) return <p className="font-medium">{t('passkeys.empty')}</p>
  return (
    <ul aria-label={t('passkeys.title')} className="divide-y divide-line border-line border-y">
      {passkeys.data.map((passkey) => (
        <Row key={passkey.id} calls={calls} passkey={passkey} />
      ))}
    </ul>
  )
}

function Row({ calls, passkey }: { calls: PasskeyCalls; passkey: Passkey }) {
  const t = useWords()
  const [removing, setRemoving] = useState(false)
  const { name, backedUp, createdAt, lastUsedAt } = passkey
  return (
    <li className="flex flex-wrap items-start gap-3 py-4 sm:flex-nowrap">
      <KeyRound aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-soft" />
      <div className="grid min-w-0 flex-1 gap-0.5">
        <p className="wrap-anywhere font-medium">{name}</p>
        <p className="flex flex-wrap gap-x-4 text-soft text-sm">
          <span>
            <Rich id="passkeys.added" tags={{ time: () => <Time at={createdAt} as="date" /> }} />
          </span>
          <span>
            {lastUsedAt ? (
              <Rich id="passkeys.lastUsed" tags={{ time: () => <Time at={lastUsedAt} as="dateTime" /> }} />
            ) : (
              t('passkeys.neverUsed')
            )}
          </span>
          <span>{t(backedUp ? 'passkeys.synced' : 'passkeys.oneDevice')}</span>
        </p>
      </div>
      <Button
        variant="secondary"
        size="sm"
        aria-label={t('passkeys.removeNamed', { name })}
        onClick={() => setRemoving(true)}
        className="ml-8 sm:ml-0"
      >
        {t('passkeys.remove')}
      </Button>
      <RemovePasskey calls={calls} passkey={passkey} open={removing} onClose={() => setRemoving(false)} />
    </li>
  )
}

interface OpenProps {
  calls: PasskeyCalls
  open: boolean
  onClose: () => void
}

function AddPasskey({ calls, ...dialog }: OpenProps) {
  const t = useWords()
  return (
    <ChangeDialog
      {...dialog}
      calls={calls}
      title={t('passkeys.add')}
      description={t('passkeys.addText')}
      submit={t('passkeys.continue')}
      done={t('passkeys.addDone')}
      failed={t('passkeys.addFailed')}
      send={async (password) => {
        const options = await call(calls.start, { body: { password } })
        const { newPasskey } = await import('./webauthn.ts')
        await call(calls.add, { body: await newPasskey(options) })
      }}
    />
  )
}

function RemovePasskey({ calls, passkey: { id, name }, ...dialog }: OpenProps & { passkey: Passkey }) {
  const t = useWords()
  return (
    <ChangeDialog
      {...dialog}
      calls={calls}
      title={t('passkeys.removeTitle')}
      description={t('passkeys.removeText', { name })}
      submit={t('passkeys.remove')}
      danger
      done={t('passkeys.removeDone')}
      failed={t('passkeys.removeFailed')}
      send={async (password) => {
        await call(calls.remove, { body: { id, password } })
      }}
    />
  )
}

interface ChangeDialogProps extends OpenProps {
  title: string
  description: string
  /** The label of the button. */
  submit: string
  danger?: boolean
  /** The titles of the toasts. */
  done: string
  failed: string
  send: (password: string) => Promise<void>
}

/** Asks for the password before a change of the passkeys. */
function ChangeDialog({ calls, done, failed, ...dialog }: ChangeDialogProps) {
  const t = useWords()
  const client = useQueryClient()
  return (
    <PasswordDialog
      {...dialog}
      label={t('passkeys.password')}
      onDone={() => {
        toast({ title: done })
        void refresh(client, calls.list, ...calls.affected)
      }}
      failed={toastUnlessAtField(failed, t('site.tryAgain'))}
    />
  )
}
