import { useQueryClient } from '@tanstack/react-query'
import { OctagonAlert, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { routes } from '#contract/routes.ts'
import { acknowledgement, type StaffSubmission, type WireRisk } from '#contract/staff-submissions.ts'
import { blocksMove, isSerious } from '#domain/risk.ts'
import { may } from '#domain/roles.ts'
import { movesFrom, staffStatus, statusRules } from '#domain/submission.ts'
import { ActionForm } from '#web/forms/ActionForm.tsx'
import { Button, TextLink } from '#web/kit/Button.tsx'
import { cx } from '#web/kit/cx.ts'
import { toneClass } from '#web/kit/tone.ts'
import { call } from '#web/wire/call.ts'
import { ReasonField } from '../../facts/action-fields.tsx'
import type { ClaimControl } from '../../facts/use-claim.ts'
import { KeyButton } from '../../shell/keys/KeyHint.tsx'
import { useKeys } from '../../shell/keys/use-keys.ts'
import { RelativeTime } from '../../shell/RelativeTime.tsx'
import { keepSubmission } from '../../shell/submission-queries.ts'
import { useStaff } from '../../shell/use-staff.ts'
import { SuggestedOffer } from '../moves/SuggestedOffer.tsx'
import type { MoveMutation } from '../moves/use-move.ts'
import { useView } from '../use-view.ts'

interface BlockingRisksProps {
  submission: StaffSubmission
  move: MoveMutation
  claim: ClaimControl
}

/** The blocking risks, each with a form to acknowledge it. */
export function BlockingRisks(props: BlockingRisksProps) {
  const blocking = props.submission.risks?.filter((risk) => risk.blocking) ?? []
  const first = blocking.find(({ acknowledged }) => !acknowledged)
  return blocking.map((risk) => (
    <BlockingRisk key={risk.code} risk={risk} hasKey={risk === first} {...props} />
  ))
}

const barId = (id: string, { code }: WireRisk) => `${code}-${id}`

/** Leads to the bar of a risk that keeps the submission from being moved: it says what to do. */
export function showBlockingRisk(id: string, risk: WireRisk): void {
  const bar = document.getElementById(barId(id, risk))
  bar?.focus()
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
  if (!isCalm) bar?.animate({ translate: ['0', '-0.4rem', '0.4rem', '-0.2rem', '0'] }, 300)
}

interface BlockingRiskProps extends BlockingRisksProps {
  risk: WireRisk
  /** The key opens the first risk that nobody has acknowledged. */
  hasKey: boolean
}

function BlockingRisk({ risk, hasKey, ...props }: BlockingRiskProps) {
  const { id } = props.submission
  const { admin } = useStaff()
  const [asked, setAsked] = useState(false)
  const { acknowledged } = risk
  const status = staffStatus(props.submission.status)
  // Nothing is blocked while the seller thinks about an offer. A decided card is blocked only from another decision.
  const blocks = !acknowledged && movesFrom(status, 'staff').some((move) => blocksMove(risk.code, move))
  const isDecided = statusRules[status].final
  const canAsk = blocks && !asked && may(admin.role, 'decide')
  const ask = () => setAsked(true)
  useKeys(canAsk && hasKey ? { acknowledge: ask } : {})
  return (
    <section
      id={barId(id, risk)}
      tabIndex={-1}
      aria-label="Blocking risk"
      aria-describedby={`${barId(id, risk)}-text`}
      className={cx(
        'grid scroll-mt-3 gap-3 rounded-md px-3 py-2 text-sm',
        toneClass[blocks && !isDecided ? 'negative' : 'neutral'],
      )}
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <OctagonAlert aria-hidden="true" className="size-4 shrink-0" />
        <p id={`${barId(id, risk)}-text`} className="min-w-0 flex-1 basis-60 wrap-anywhere">
          <strong className="mr-2 font-semibold">
            <RiskText risk={risk} />
          </strong>
          {acknowledged ? (
            <>
              {acknowledged.by} acknowledged it <RelativeTime at={acknowledged.at} />: {acknowledged.reason}
            </>
          ) : isDecided ? (
            blocks && 'Acknowledge it only if you change the decision.'
          ) : (
            blocks && 'It cannot be approved or paid until this is acknowledged.'
          )}
        </p>
        {canAsk && risk.code === 'low_balance' && <SuggestedOffer {...props} />}
        {canAsk &&
          (hasKey ? (
            <KeyButton action="acknowledge" variant="secondary" size="sm" onClick={ask}>
              Acknowledge
            </KeyButton>
          ) : (
            <Button variant="secondary" size="sm" onClick={ask}>
              Acknowledge
            </Button>
          ))}
      </div>
      {!acknowledged && asked && <AcknowledgeForm id={id} risk={risk} onCancel={() => setAsked(false)} />}
    </section>
  )
}

interface AcknowledgeFormProps {
  id: string
  risk: WireRisk
  onCancel: () => void
}

function AcknowledgeForm({ id, risk, onCancel }: AcknowledgeFormProps) {
  const client = useQueryClient()
  return (
    <div className="text-ink">
      <ActionForm
        schema={acknowledgement}
        start={{ code: risk.code, reason: '' }}
        send={(body) => call(routes.acknowledgeRisk, { params: { id }, body })}
        failed="The risk could not be acknowledged."
        refreshes={[routes.auditLog, routes.staffSubmission]}
        onDone={(submission) => keepSubmission(client, submission)}
        onCancel={onCancel}
        submit="Acknowledge Risk"
        danger
      >
        {(field) => (
          <ReasonField
            label="Why can it be approved anyway?"
            rows={2}
            hint="The audit log records it, with numbers masked"
            onEscape={onCancel}
            {...field('reason')}
          />
        )}
      </ActionForm>
    </div>
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
        {others.length > 1
          ? `${others.length} risks`
          : others.some(({ code }) => isSerious(code))
            ? 'Serious risk'
            : 'Risk'}
      </h3>
      <ul className="grid min-w-0 gap-y-0.5 wrap-anywhere">
        {others.map((risk) => (
          <li key={risk.code} className={cx(isSerious(risk.code) && 'font-semibold')}>
            {isSerious(risk.code) && others.length > 1 && 'Serious: '}
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
