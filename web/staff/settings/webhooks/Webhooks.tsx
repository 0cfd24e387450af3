import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { routes } from '#contract/routes.ts'
import { type WebhookEndpoint, webhookEvents, webhookForm } from '#contract/webhooks.ts'
import { ActionDialog } from '#web/forms/ActionForm.tsx'
import { Button } from '#web/kit/Button.tsx'
import { CheckField } from '#web/kit/CheckField.tsx'
import { FieldError } from '#web/kit/Field.tsx'
import { Link } from '#web/kit/router/index.ts'
import { TextField } from '#web/kit/TextField.tsx'
import { call } from '#web/wire/call.ts'
import { read } from '#web/wire/read.ts'
import { pathTo } from '#web/words/paths.ts'
import { type NewSecret, SecretDialog } from '../../facts/SecretDialog.tsx'
import type { Column } from '../../list/DataTable.tsx'
import { List } from '../../list/List.tsx'
import { useAddress } from '../../list/use-address.ts'
import { When } from '../../shell/RelativeTime.tsx'
import { StaffScreen } from '../../shell/StaffScreen.tsx'
import { EndpointState, EventNames, WebhookPage } from './WebhookPage.tsx'

/** The addresses of other programs that are sent events, or one of them. For owners. */
export default function Webhooks() {
  const [address] = useAddress()
  const query = useQuery({ ...read(routes.webhooks, {}), staleTime: 0 })
  const rows = query.data ?? []
  const [adding, setAdding] = useState(false)
  const [made, setMade] = useState<NewSecret>()
  const id = address.get('id')
  return (
    <StaffScreen title="Webhooks" intro="Which programs are told what happens in the shop.">
      {id === null ? (
        <List
          noun="webhook"
          list={{ query, rows, total: rows.length }}
          columns={columns}
          empty="Add the address of a program that should be told what happens."
          actions={
            <Button size="sm" onClick={() => setAdding(true)} icon={<Plus />}>
              Add webhook
            </Button>
          }
        />
      ) : (
        <WebhookPage key={id} id={id} query={query} onSecret={setMade} />
      )}
      <AddDialog open={adding} onClose={() => setAdding(false)} onDone={setMade} />
      <SecretDialog name="secret" made={made} onClose={() => setMade(undefined)}>
        The program checks with it that requests come from this shop.
      </SecretDialog>
    </StaffScreen>
  )
}

const columns: readonly Column<WebhookEndpoint>[] = [
  {
    name: 'Address',
    isTitle: true,
    cell: ({ id, url }) => (
      <Link
        to={pathTo('adminWebhooks', { id })}
        className="wrap-anywhere block min-w-40 max-w-96 font-medium underline underline-offset-4"
      >
        {url}
      </Link>
    ),
  },
  { name: 'Events', cell: ({ events }) => <EventNames events={events} /> },
  { name: 'State', cell: (endpoint) => <EndpointState endpoint={endpoint} /> },
  {
    name: 'Last delivered',
    cell: ({ lastDelivered }) => (lastDelivered ? <When at={lastDelivered} as="dateTime" /> : 'Never'),
  },
]

interface AddDialogProps {
  open: boolean
  onClose: () => void
  onDone: (made: NewSecret) => void
}

function AddDialog({ open, onClose, onDone }: AddDialogProps) {
  return (
    <ActionDialog
      open={open}
      onClose={onClose}
      title="Add a webhook"
      description="The address gets ids, statuses and prices. It never gets card numbers, PINs, accounts, photos or messages."
      schema={webhookForm}
      start={{ url: '', events: [...webhookEvents] }}
      send={(body) => call(routes.addWebhook, { body })}
      failed="The webhook could not be added."
      refreshes={[routes.webhooks, routes.auditLog]}
      onDone={({ url, secret }) => onDone({ title: `Secret for ${new URL(url).host}`, secret })}
      submit="Add webhook"
    >
      {(field, { values, setValue }) => (
        <>
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
          <fieldset className="col-span-full grid">
            <legend className="pb-1.5 font-medium text-sm">Events</legend>
            {webhookEvents.map((event) => (
              <CheckField
                key={event}
                label={event}
                checked={values.events.includes(event)}
                onChange={({ currentTarget: { checked } }) => {
                  const chosen = webhookEvents.filter((one) =>
                    one === event ? checked : values.events.includes(one),
                  )
                  setValue('events', chosen)
                }}
              />
            ))}
            {field('events').error && <FieldError>{field('events').error}</FieldError>}
          </fieldset>
        </>
      )}
    </ActionDialog>
  )
}
