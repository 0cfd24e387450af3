import { useMutation, useQueryClient } from '@tanstack/react-query'
import { OctagonAlert, TriangleAlert } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { routes } from '#contract/routes.ts'
import type { StaffSubmission, WireRisk } from '#contract/staff-submissions.ts'
import { may } from '#domain/roles.ts'
import { Button, TextLink } from '#web/kit/Button.tsx'
import { cx } from '#web/kit/cx.ts'
import { TextArea } from '#web/kit/TextField.tsx'
import { toneClass } from '#web/kit/tone.ts'
import { call } from '#web/wire/call.ts'
import { ApiError, toastFailure } from '#web/wire/errors.ts'
import { refresh } from '#web/wire/read.ts'
import { KeyButton } from '../../keys/KeyHint.tsx'
import { useKeys } from '../../keys/use-keys.ts'
import { RelativeTime } from '../../RelativeTime.tsx'
import { useStaff } from '../../use-staff.ts'
import { keepSubmission } from '../submission-queries.ts'
import { useView } from '../use-view.ts'

/** The risk that keeps a submission from being approved, if there is one. */
export function openRisk({ risks }: Pick<StaffSubmission, 'risks'>): WireRisk | undefined {
  return risks?.find(({ blocking, acknowledged }) => blocking && !acknowledged)
}

/** The blocking risks, each with a form to acknowledge it. */
export function BlockingRisks({ submission: { id, risks } }: { submission: StaffSubmission }) {
  const blocking = risks?.filter((risk) => risk.blocking) ?? []
  return blocking.map((risk) => <BlockingRisk key={risk.code} id={id} risk={risk} />)
}

function BlockingRisk({ id, risk }: { id: string; risk: WireRisk }) {
  const { admin } = useStaff()
  const [asked, setAsked] = useState(false)
  const { acknowledged } = risk
  const canAsk = !acknowledged && !asked && may(admin.role, 'decide')
  useKeys(canAsk ? { acknowledge: () => setAsked(true) } : {})
  return (
    <section
      aria-label="Blocking risk"
      className={cx(
        'grid gap-3 rounded-md px-3 py-2 text-sm',
        toneClass[acknowledged ? 'neutral' : 'negative'],
      )}
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <OctagonAlert aria-hidden="true" className="size-4 shrink-0" />
        <p className="min-w-0 flex-1 basis-60 wrap-anywhere">
          <strong className="mr-2 font-semibold">
            <RiskText risk={risk} />
          </strong>
          {acknowledged ? (
            <>
              {acknowledged.by} acknowledged it <RelativeTime at={acknowledged.at} />: {acknowledged.reason}
            </>
          ) : (
            'It cannot be approved or paid until this is acknowledged.'
          )}
        </p>
        {canAsk && (
          <KeyButton action="acknowledge" variant="secondary" size="sm" onClick={() => setAsked(true)}>
            Acknowledge
          </KeyButton>
        )}
      </div>
      {!acknowledged && asked && <AcknowledgeForm id={id} risk={risk} onCancel={() => setAsked(false)} />}
    </section>
  )
}

/** What the server accepts. */
const REASON_LENGTH = { min: 10, max: 1000 }

function AcknowledgeForm({ id, risk, onCancel }: { id: string; risk: WireRisk; onCancel: () => void }) {
  const client = useQueryClient()
  const [reason, setReason] = useState('')
  const [problem, setProblem] = useState<string>()
  const sending = useMutation({
    mutationFn: () =>
      call(routes.acknowledgeRisk, { params: { id }, body: { code: risk.code, reason: reason.trim() } }),
    onSuccess: (submission) => {
      keepSubmission(client, submission)
      void refresh(client, routes.auditLog)
    },
    onError: (error) => {
      toastFailure('Not Acknowledged', 'The risk could not be acknowledged.')(error)
      if (error instanceof ApiError && error.status === 409) void refresh(client, routes.staffSubmission)
    },
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    if (sending.isPending) return
    if (reason.trim().length < REASON_LENGTH.min) {
      return setProblem(`Please write at least ${REASON_LENGTH.min} characters`)
    }
    sending.mutate()
  }

  return (
    <form method="post" onSubmit={submit} className="grid gap-2 text-ink">
      <TextArea
        label="Why can it be approved anyway?"
        rows={2}
        maxLength={REASON_LENGTH.max}
        value={reason}
        error={problem}
        hint="The audit log records it, with numbers masked"
        autoFocus
        onChange={(event) => {
          setReason(event.currentTarget.value)
          setProblem(undefined)
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onCancel()
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event)
        }}
      />
      <div className="flex justify-end gap-2">
        <Button variant="secondary" size="sm" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" variant="danger" size="sm" loading={sending.isPending}>
          Acknowledge Risk
        </Button>
      </div>
    </form>
  )
}

/** The risks that block nothing. */
export function OtherRisks({ submission: { risks } }: { submission: StaffSubmission }) {
  const others = risks?.filter((risk) => !risk.blocking) ?? []
  if (others.length === 0) return null
  return (
    <section
      aria-label="Risks"
      className={cx('flex gap-x-4 rounded-md px-3 py-2 text-sm max-sm:flex-col', toneClass.caution)}
    >
      <h3 className="flex items-center gap-2.5 self-start whitespace-nowrap font-semibold">
        <TriangleAlert aria-hidden="true" className="size-4 shrink-0" />
        {others.length === 1 ? 'Risk' : `${others.length} risks`}
      </h3>
      <ul className="flex min-w-0 flex-wrap gap-x-5 wrap-anywhere">
        {others.map((risk) => (
          <li key={risk.code}>
            <RiskText risk={risk} />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Leads to the other submission, if the risk comes from one. */
function RiskText({ risk: { message, submissionId } }: { risk: WireRisk }) {
  const { linkTo } = useView()
  if (!submissionId) return message
  return (
    <TextLink to={linkTo({ id: submissionId })} className="text-inherit">
      {message}
    </TextLink>
  )
}
