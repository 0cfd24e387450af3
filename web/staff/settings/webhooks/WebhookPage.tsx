import { type UseQueryResult, useMutation, useQueryClient } from '@tanstack/react-query'
import { ChevronLeft, Pause, Play, RotateCw, Send, Trash2, Webhook } from 'lucide-react'
import { useState } from 'react'
import { z } from 'zod'
import { routes } from '#contract/routes.ts'
import { type WebhookDelivery, type WebhookEndpoint, webhookEvents } from '#contract/webhooks.ts'
import { ActionDialog } from '#web/forms/ActionForm.tsx'
import { Button, ButtonLink } from '#web/kit/Button.tsx'
import { EmptyState } from '#web/kit/EmptyState.tsx'
import { useNavigate } from '#web/kit/router/index.ts'
import { toast } from '#web/kit/toast.ts'
import { call } from '#web/wire/call.ts'
import { toastFailure } from '#web/wire/errors.ts'
import { refresh } from '#web/wire/read.ts'
import { paths } from '#web/words/paths.ts'
import { Reference } from '../../facts/Reference.tsx'
import type { NewSecret } from '../../facts/SecretDialog.tsx'
import type { Column } from '../../list/DataTable.tsx'
import { List } from '../../list/List.tsx'
import { usePagedList } from '../../list/use-paged-list.ts'
import { QueryStatus } from '../../shell/QueryStatus.tsx'
import { When } from '../../shell/RelativeTime.tsx'

interface WebhookPageProps {
  id: string
  query: UseQueryResult<readonly WebhookEndpoint[]>
  onSecret: (made: NewSecret) => void
}

/** One address: what it gets, what can be done with it, and what was sent. */
export function WebhookPage({ id, query, onSecret }: WebhookPageProps) {
  const endpoint = query.data?.find((one) => one.id === id)
  if (!query.data) return <QueryStatus query={query} noun="the webhook" rows={4} />
  if (!endpoint) {
    return (
      <EmptyState icon={<Webhook />} title="Webhook not found" action={<BackToWebhooks />}>
        It was deleted, or the link is incomplete.
      </EmptyState>
    )
  }
  return (
    <>
      <section className="grid gap-4 rounded-lg border border-line bg-surface p-4">
        <BackToWebhooks />
        <div className="grid gap-1">
          <h2 className="wrap-anywhere text-lg">{endpoint.url}</h2>
          <div className="flex flex-wrap gap-x-4 text-sm">
            <EndpointState endpoint={endpoint} />
            <EventNames events={endpoint.events} />
          </div>
        </div>
        <Actions endpoint={endpoint} onSecret={onSecret} />
      </section>
      <Deliveries endpointId={id} />
    </>
  )
}

export function EventNames({ events }: Pick<WebhookEndpoint, 'events'>) {
  return (
    <span className="wrap-anywhere block max-w-96 text-pretty">
      {events.length === webhookEvents.length ? 'All' : events.join(', ')}
    </span>
  )
}

export function EndpointState({ endpoint: { paused, lastFailed } }: { endpoint: WebhookEndpoint }) {
  if (paused) return <span className="font-medium text-caution">Paused</span>
  if (!lastFailed) return <span className="text-positive">Active</span>
  return (
    <span className="font-medium text-negative">
      Failing, last at <When at={lastFailed} as="dateTime" />
    </span>
  )
}

function BackToWebhooks() {
  return (
    <div>
      <ButtonLink
        to={paths.adminWebhooks}
        variant="quiet"
        size="sm"
        className="-ml-2 px-2"
        icon={<ChevronLeft />}
      >
        All webhooks
      </ButtonLink>
    </div>
  )
}

function Actions({ endpoint, onSecret }: { endpoint: WebhookEndpoint; onSecret: (made: NewSecret) => void }) {
  const [asking, setAsking] = useState<'secret' | 'delete'>()
  const client = useQueryClient()
  const navigate = useNavigate()
  const { id, url, paused } = endpoint
  const params = { id }
  const pausing = useMutation({
    mutationFn: () => call(routes.changeWebhook, { params, body: { paused: !paused } }),
    onError: toastFailure('Not Changed', 'The webhook could not be changed.'),
    onSettled: () => refresh(client, routes.webhooks, routes.auditLog),
  })
  const testing = useMutation({
    mutationFn: () => call(routes.testWebhook, { params }),
    onSuccess: ({ message }) => toast({ title: 'Test Sent', description: message }),
    onError: toastFailure('Not Sent', 'The test could not be sent.'),
    onSettled: () => refresh(client, routes.webhookDeliveries),
  })
  const dialog = { onClose: () => setAsking(undefined), schema: z.object({}), focusSubmit: true }
  return (
    <div className="flex flex-wrap gap-2">
      <Button
        variant="secondary"
        size="sm"
        loading={testing.isPending}
        disabled={paused}
        onClick={() => testing.mutate()}
        icon={<Send />}
      >
        Send test
      </Button>
      <Button
        variant="secondary"
        size="sm"
        loading={pausing.isPending}
        onClick={() => pausing.mutate()}
        icon={paused ? <Play /> : <Pause />}
      >
        {paused ? 'Resume' : 'Pause'}
      </Button>
      <Button variant="secondary" size="sm" onClick={() => setAsking('secret')} icon={<RotateCw />}>
        New secret
      </Button>
      <Button variant="secondary" size="sm" onClick={() => setAsking('delete')} icon={<Trash2 />}>
        Delete
      </Button>
      <ActionDialog
        {...dialog}
        open={asking === 'secret'}
        title="Make a new secret?"
        send={() => call(routes.rotateWebhookSecret, { params })}
        failed="The secret could not be changed."
        refreshes={[routes.auditLog]}
        onDone={({ secret }) => onSecret({ title: `Secret for ${new URL(url).host}`, secret })}
        submit="Make secret"
      >
        <p>
          For a day, requests are signed with the current secret too. Change it in the program until then.
        </p>
      </ActionDialog>
      <ActionDialog
        {...dialog}
        open={asking === 'delete'}
        title="Delete this webhook?"
        send={() => call(routes.deleteWebhook, { params })}
        failed="The webhook could not be deleted."
        done={({ message }) => ({ title: 'Webhook Deleted', description: message })}
        refreshes={[routes.webhooks, routes.auditLog]}
        onDone={() => navigate(paths.adminWebhooks, { replace: true })}
        submit="Delete webhook"
        danger
      >
        <p>Its log and what waits to be sent are deleted too.</p>
      </ActionDialog>
    </div>
  )
}

/** While the screen is open, new attempts appear within this many ms. */
const REFETCH_MS = 5_000

function Deliveries({ endpointId }: { endpointId: string }) {
  const list = usePagedList(
    routes.webhookDeliveries,
    { endpointId },
    { staleTime: 0, refetchInterval: REFETCH_MS },
  )
  return (
    <List
      noun="delivery"
      // Its webhook is no filter that anybody has set.
      list={{ ...list, isFiltered: false }}
      columns={columns}
      empty="What is sent to this address appears here, for 30 days."
    />
  )
}

const columns: readonly Column<WebhookDelivery>[] = [
  { name: 'Event', isTitle: true, cell: ({ event }) => <span className="font-medium">{event}</span> },
  { name: 'When', cell: ({ createdAt }) => <When at={createdAt} as="dateTime" /> },
  { name: 'State', cell: (delivery) => <State delivery={delivery} /> },
  { name: 'Attempts', isNumber: true, cell: ({ attempts }) => attempts },
  { name: 'Answer', cell: ({ responseCode, error }) => responseCode ?? error?.replaceAll('_', ' ') ?? '–' },
  {
    name: 'Took',
    isNumber: true,
    cell: ({ durationMs }) => (durationMs === null ? '–' : `${durationMs.toLocaleString('en-US')} ms`),
  },
  {
    name: 'Request',
    cell: ({ requestId }) => (requestId ? <Reference id={requestId} name="request ID" /> : '–'),
  },
  { name: 'Resend', isAction: true, cell: (delivery) => <Resend delivery={delivery} /> },
]

function State({ delivery: { state, nextAttemptAt } }: { delivery: WebhookDelivery }) {
  if (state === 'delivered') return <span className="text-positive">Delivered</span>
  if (state === 'failed') return <span className="font-medium text-negative">Failed</span>
  return (
    <span className="text-caution">
      Waiting{nextAttemptAt && ', next attempt '}
      {nextAttemptAt && <When at={nextAttemptAt} as="dateTime" />}
    </span>
  )
}

function Resend({ delivery: { id, event } }: { delivery: WebhookDelivery }) {
  const client = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: () => call(routes.resendDelivery, { params: { id } }),
    onSuccess: ({ message }) => toast({ title: 'Sent Again', description: message }),
    onError: toastFailure('Not Sent', 'The delivery could not be sent again.'),
    onSettled: () => refresh(client, routes.webhookDeliveries),
  })
  return (
    <Button
      variant="quiet"
      size="sm"
      className="px-2"
      loading={isPending}
      onClick={() => mutate()}
      aria-label={`Resend ${event}`}
    >
      Resend
    </Button>
  )
}
