import { useState } from 'react'
import { z } from 'zod'
import { type BalanceConnector, balanceConnectorForm } from '#contract/balance-connectors.ts'
import { routes } from '#contract/routes.ts'
import { ActionDialog } from '#web/forms/ActionForm.tsx'
import { Button } from '#web/kit/Button.tsx'
import { CheckField } from '#web/kit/CheckField.tsx'
import { useLast } from '#web/kit/Dialog.tsx'
import { TextField } from '#web/kit/TextField.tsx'
import { call } from '#web/wire/call.ts'
import { type NewSecret, SecretDialog } from '../../facts/SecretDialog.tsx'

/** A brand, and its connector if it has one. */
export interface ConnectedBrand {
  slug: string
  name: string
  connector: BalanceConnector | undefined
}

interface ConnectorDialogProps {
  edited: ConnectedBrand | undefined
  onClose: () => void
}

/** Adds, changes or deletes the service that is asked for the balance of a brand's cards. For owners. */
export function ConnectorDialog({ edited, onClose }: ConnectorDialogProps) {
  const shown = useLast(edited)
  const [step, setStep] = useState<'edit' | 'secret' | 'delete'>('edit')
  const [made, setMade] = useState<NewSecret>()
  if (!shown) return null
  const { slug, name, connector } = shown
  const params = { brand: slug }
  const close = () => {
    setStep('edit')
    onClose()
  }
  const showSecret = (secret: string) =>
    setMade({ title: `Secret of the balance connector for ${name}`, secret })
  const isOpen = (one: typeof step) => edited !== undefined && step === one
  const refreshes = [routes.balanceConnectors, routes.auditLog]
  const asking = { onClose: close, schema: z.object({}), refreshes, focusSubmit: true }
  return (
    <>
      <ActionDialog
        key={slug}
        open={isOpen('edit')}
        onClose={close}
        title={`Balance connector for ${name}`}
        description="Your own service, which knows the balance of these cards. It is sent the number and PIN of each new card."
        schema={balanceConnectorForm}
        start={{ url: connector?.url ?? '', paused: connector?.paused ?? false }}
        send={(body) => call(routes.saveBalanceConnector, { params, body })}
        failed="The balance connector could not be saved."
        done={({ paused }) => ({
          title: 'Balance Connector Saved',
          description: paused ? `${name} is not asked for balances.` : `New ${name} cards are asked for.`,
        })}
        refreshes={refreshes}
        onDone={({ secret }) => secret && showSecret(secret)}
        submit={connector ? 'Save changes' : 'Add connector'}
      >
        {(field) => (
          <div className="grid gap-5">
            <TextField
              label="Address"
              type="url"
              placeholder="https://"
              autoFocus
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              {...field('url')}
            />
            <CheckField label="Paused: ask about no card" {...field('paused')} />
            {connector && (
              <div className="flex flex-wrap gap-2">
                <Button variant="secondary" size="sm" onClick={() => setStep('secret')}>
                  New secret
                </Button>
                <Button variant="secondary" size="sm" onClick={() => setStep('delete')}>
                  Delete
                </Button>
              </div>
            )}
          </div>
        )}
      </ActionDialog>
      <ActionDialog
        {...asking}
        open={isOpen('secret')}
        title="Make a new secret?"
        send={() => call(routes.rotateConnectorSecret, { params })}
        failed="The secret could not be changed."
        onDone={({ secret }) => showSecret(secret)}
        submit="Make secret"
      >
        <p>
          For a day, requests are signed with the current secret too. Change it in your service until then.
        </p>
      </ActionDialog>
      <ActionDialog
        {...asking}
        open={isOpen('delete')}
        title="Delete this balance connector?"
        send={() => call(routes.deleteBalanceConnector, { params })}
        failed="The balance connector could not be deleted."
        done={({ message }) => ({ title: 'Balance Connector Deleted', description: message })}
        submit="Delete connector"
        danger
      >
        <p>Reviewers check the balance of {name} cards themselves again.</p>
      </ActionDialog>
      <SecretDialog name="secret" made={made} onClose={() => setMade(undefined)}>
        Your service checks with it that requests come from this shop.
      </SecretDialog>
    </>
  )
}
