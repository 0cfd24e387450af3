import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod'
import { routes } from '#contract/routes.ts'
import type { GivenUpJob, SystemReport } from '#contract/system.ts'
import { ActionDialog } from '#web/forms/ActionForm.tsx'
import { Button } from '#web/kit/Button.tsx'
import { useLast } from '#web/kit/Dialog.tsx'
import { Dotted } from '#web/kit/Dotted.tsx'
import { Panel } from '#web/kit/Panel.tsx'
import { toast } from '#web/kit/toast.ts'
import { call } from '#web/wire/call.ts'
import { toastFailure } from '#web/wire/errors.ts'
import { refresh } from '#web/wire/read.ts'
import { RelativeTime } from '../../shell/RelativeTime.tsx'

const changed = [routes.system, routes.auditLog] as const

/** Mails and other jobs that are no longer tried. Nothing if there are none. */
export function FailedJobs({ jobs: { total, newest } }: { jobs: SystemReport['jobs'] }) {
  const [discarding, setDiscarding] = useState<GivenUpJob>()
  const shown = useLast(discarding)
  return (
    <>
      {total > 0 && (
        <Panel aria-label="Failed jobs" className="py-3 md:py-4">
          <h2 className="pb-1 text-base">Failed for good</h2>
          <ul className="divide-y divide-line">
            {newest.map((job) => (
              <FailedJob key={job.id} job={job} onDiscard={() => setDiscarding(job)} />
            ))}
          </ul>
          {total > newest.length && (
            <p className="text-soft text-sm">
              And {(total - newest.length).toLocaleString('en-US')} older ones.
            </p>
          )}
        </Panel>
      )}
      <ActionDialog
        open={discarding !== undefined}
        onClose={() => setDiscarding(undefined)}
        title={`Discard “${shown && kindWords(shown.kind)}”`}
        description="It is deleted, and nobody gets it anymore."
        schema={z.object({})}
        send={() => call(routes.discardJob, { body: { id: shown?.id ?? '' } })}
        failed="The job could not be discarded."
        done={() => ({ title: 'Job Discarded' })}
        refreshes={changed}
        submit="Discard"
        danger
      />
    </>
  )
}

function FailedJob({ job: { id, kind, error, attempts, failedAt, discardable }, onDiscard }: FailedJobProps) {
  const client = useQueryClient()
  const retry = useMutation({
    mutationFn: () => call(routes.retryJob, { body: { id } }),
    onSuccess: () =>
      toast({ title: 'Trying Again', description: 'If it fails, it is back here in a day or two.' }),
    onError: toastFailure('Not Retried', 'The job could not be retried.'),
    onSettled: () => refresh(client, ...changed),
  })
  const name = kindWords(kind)
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2.5">
      <div className="grid min-w-0">
        <span className="font-medium">{name}</span>
        <span className="text-soft text-sm">
          <Dotted>
            <span>{failureWords(error)}</span>
            <span>{attempts === 1 ? '1 attempt' : `${attempts} attempts`}</span>
            <RelativeTime at={failedAt} />
          </Dotted>
        </span>
      </div>
      <div className="flex gap-2">
        <Button
          variant="secondary"
          size="sm"
          loading={retry.isPending}
          onClick={() => retry.mutate()}
          aria-label={`Retry ${name}`}
        >
          Retry
        </Button>
        {discardable && (
          <Button variant="quiet" size="sm" onClick={onDiscard} aria-label={`Discard ${name}`}>
            Discard
          </Button>
        )}
      </div>
    </li>
  )
}

interface FailedJobProps {
  job: GivenUpJob
  onDiscard: () => void
}

/** "Password reset mail" for `passwordResetMail`. */
function kindWords(kind: string): string {
  const words = kind.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}

/** A code of the server in words, with the code for the operator. */
export function failureWords(code: string): string {
  if (/^5\d\d$/.test(code)) return `The mail server refused it (${code})`
  if (/^4\d\d$/.test(code)) return `The mail server refused it for now (${code})`
  if (code === 'database') return 'A statement of the database failed'
  if (/^E[A-Z_]+$/.test(code)) return `No connection (${code})`
  return code
}
