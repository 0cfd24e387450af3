import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { Download, FileCheck, Landmark, LockKeyhole, PlayCircle } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { payment, type WireBatch } from '#contract/payouts.ts'
import { routes } from '#contract/routes.ts'
import { mayMoveBatch, sentBatchStates } from '#domain/payout.ts'
import { approvalProblem, freezersOf, missingReleasers, releasersOf } from '#domain/payout-limits.ts'
import { mayAbandon, mayEnterId, unsentProviderStates } from '#domain/payout-provider.ts'
import { dayIn } from '#domain/shop-time.ts'
import { ActionDialog } from '#web/forms/ActionForm.tsx'
import { Button } from '#web/kit/Button.tsx'
import { CheckField } from '#web/kit/CheckField.tsx'
import { Dialog } from '#web/kit/Dialog.tsx'
import { Money } from '#web/kit/Money.tsx'
import { Notice } from '#web/kit/Notice.tsx'
import { Ledger, LedgerRow } from '#web/kit/Panel.tsx'
import { Time } from '#web/kit/Time.tsx'
import { toast } from '#web/kit/toast.ts'
import { call } from '#web/wire/call.ts'
import { messageOf, toastFailure } from '#web/wire/errors.ts'
import { serverNow } from '#web/wire/server-clock.ts'
import { useWords } from '#web/words/words.ts'
import { ConfirmationField } from '../facts/action-fields.tsx'
import {
  answered,
  cameBackWarning,
  counted,
  fileWords,
  inPayments,
  isPaid,
  problemWarning,
} from '../facts/payout-words.ts'
import { KeyButton } from '../shell/keys/KeyHint.tsx'
import type { Action } from '../shell/keys/key-table.ts'
import { useKeys } from '../shell/keys/use-keys.ts'
import { refreshPayouts, useKeep } from '../shell/payout-queries.ts'
import { useStaff } from '../shell/use-staff.ts'
import { EnterProviderBatch } from './EnterProviderBatch.tsx'
import { Rejection } from './Rejection.tsx'
import { SettleForm } from './SettleForm.tsx'
import { useDownload } from './use-download.ts'
import { usePayoutView } from './use-payout-view.ts'

type Asked = 'freeze' | 'release' | 'dissolve' | 'confirm' | 'settle'

/** The next step of a batch as its one primary button, and what else its state allows. */
export function BatchActions({ batch }: { batch: WireBatch }) {
  const { admin } = useStaff()
  const { change } = usePayoutView()
  const keep = useKeep()
  const client = useQueryClient()
  const { id, state, file, sentBy } = batch
  const params = { id }
  const [asked, setAsked] = useState<Asked>()
  const freeze = useStep(() => call(routes.freezeBatch, { params }), 'Batch Frozen', { quiet: true })
  const isFirstApproval = batch.needsTwoApprovals && !batch.approvedBy
  const offersToday = batch.sameDayCutoff !== null && batch.sameDayCutoff.settlesOn === easternToday()
  // The worksheet that opens says it: a toast would cover its button.
  const startPaying = useStep(() => call(routes.exportBatch, { params }))
  const { download, isPending: isDownloading } = useDownload(batch)

  const isWorksheet = file === 'worksheet'
  const isReleased = mayMoveBatch(state, 'export')
  const isOpen = state === 'exported' && !isPaid(batch)
  const mayStart = isWorksheet && (isReleased || isOpen)
  // Each payout of a worksheet has its own confirmation number.
  const isReported = batch.rejectionReportedBy !== null
  const mayConfirm = !isWorksheet && isOpen && !isReported && !sentBy
  const maySettle = mayMoveBatch(state, 'settle') && !isReported && !(isWorksheet && isOpen) && !sentBy
  const mayDownload =
    !isWorksheet && !isReported && !sentBy && (isReleased || sentBatchStates.includes(state))
  const mayReject = sentBy
    ? mayAbandon(batch)
    : !isWorksheet && isOpen && !batch.confirmedAt && batch.paidCount + batch.returnedCount === 0
  const isEarly = mayConfirm && isExpectedLater(batch)
  const problem = batch.problemCount > 0 ? `${problemWarning(batch.problemCount)}.` : undefined
  const unfreezable =
    problem ?? batch.limitProblem ?? (isMaker(batch, admin.username) ? youCreated : undefined)
  const unreleasable =
    problem ??
    batch.limitProblem ??
    (batch.needsTwoApprovals ? approvalWords[approvalProblem(batch, admin.username) ?? 'none'] : undefined) ??
    (state === 'frozen' && !batch.releasers.includes(admin.username) ? youFroze : undefined)

  const askRelease = () => (unreleasable ? sayNotAllowed(unreleasable) : setAsked('release'))
  const isLeftStuck =
    missingReleasers({ ...batch, frozenBy: admin.username }, batch.payers, releaseRulesOf(batch)) > 0
  const askFreeze = () => {
    if (unfreezable) sayNotAllowed(unfreezable)
    else if (isLeftStuck) setAsked('freeze')
    else if (!freeze.isPending) freeze.mutate()
  }
  const openWorksheet = () => change({ worksheet: 'on' }, { replace: false })
  const start = () => {
    if (!isReleased) openWorksheet()
    else if (!startPaying.isPending) startPaying.mutate(undefined, { onSuccess: openWorksheet })
  }
  useKeys({
    ...(mayMoveBatch(state, 'freeze') && { freezeBatch: askFreeze }),
    ...(mayMoveBatch(state, 'release') && { releaseBatch: askRelease }),
    ...(mayDownload && { downloadBatch: download }),
    ...(mayStart && { startWorksheet: start }),
    ...(mayConfirm && { confirmBatch: () => setAsked('confirm') }),
    ...(maySettle && { settleBatch: () => setAsked('settle') }),
  })

  const close = () => setAsked(undefined)
  return (
    <div className="hidden gap-2 has-[>:not(:empty)]:grid">
      <div className="flex flex-wrap items-center gap-2 max-sm:*:w-full empty:hidden">
        {mayMoveBatch(state, 'freeze') && (
          <StepButton
            action="freezeBatch"
            icon={<LockKeyhole />}
            loading={freeze.isPending}
            unavailable={unfreezable !== undefined}
            onClick={askFreeze}
          >
            Freeze
          </StepButton>
        )}
        {mayMoveBatch(state, 'release') && (
          <StepButton
            action="releaseBatch"
            icon={<FileCheck />}
            unavailable={unreleasable !== undefined}
            onClick={askRelease}
          >
            {isFirstApproval ? 'Approve' : 'Release'}
          </StepButton>
        )}
        {mayStart && (
          <StepButton
            action="startWorksheet"
            icon={<PlayCircle />}
            loading={startPaying.isPending}
            onClick={start}
          >
            {isReleased ? 'Start paying' : 'Continue paying'}
          </StepButton>
        )}
        {mayDownload && (
          <StepButton
            action="downloadBatch"
            icon={<Download />}
            secondary={!isReleased}
            loading={isDownloading}
            onClick={download}
          >
            {isReleased ? 'Download file' : 'Download again'}
          </StepButton>
        )}
        {/* After it, so that a second click on Download does not land here. */}
        {mayConfirm && (
          <StepButton action="confirmBatch" secondary={isEarly} onClick={() => setAsked('confirm')}>
            Mark all as paid
          </StepButton>
        )}
        {maySettle && (
          <StepButton
            action="settleBatch"
            icon={<Landmark />}
            secondary={mayConfirm}
            onClick={() => setAsked('settle')}
          >
            Mark as settled
          </StepButton>
        )}
        {mayEnterId(batch) && <EnterProviderBatch batch={batch} />}
        {mayReject && !isReported && <Rejection batch={batch} />}
        {mayMoveBatch(state, 'void') && mayDissolve(batch) && (
          <Button variant="quiet" size="sm" className="text-negative" onClick={() => setAsked('dissolve')}>
            Dissolve
          </Button>
        )}
      </div>
      {isReported && state !== 'rejected' && <Rejection batch={batch} />}
      {freeze.error && (
        <Notice tone="negative" title={messageOf(freeze.error, notDone)} urgent>
          Solve that, or dissolve the batch.
        </Notice>
      )}
      <p className="max-w-prose text-pretty text-soft text-sm empty:hidden">
        {isEarly && batch.expectedOn && (
          <>
            Nothing to do until <Time at={batch.expectedOn} as="day" />.{' '}
          </>
        )}
        {(state === 'open' && unfreezable) || (state === 'frozen' && unreleasable) || hintOf(batch)}
      </p>
      {state === 'frozen' && <Releasers batch={batch} isFirstApproval={isFirstApproval} />}
      <ActionDialog
        open={asked === 'freeze'}
        onClose={close}
        title={`Freeze batch ${batch.number}?`}
        description="Freezing fixes the contents. Dissolving is then the only way out until enough people may release it."
        send={() => orRefetch(client, call(routes.freezeBatch, { params }))}
        failed={notDone}
        done={(changed) => answered('Batch Frozen', changed)}
        onDone={keep.batch}
        submit="Freeze anyway"
      >
        <Contents batch={batch} />
        <CameBack batch={batch} />
        <StuckNotice batch={batch} />
      </ActionDialog>
      <ActionDialog
        open={asked === 'release'}
        onClose={close}
        title={`${isFirstApproval ? 'Approve' : 'Release'} batch ${batch.number}?`}
        description={
          isFirstApproval
            ? 'Another person then releases it. If the batch changes, it needs both approvals again.'
            : sentBy
              ? 'PayPal pays it in the next seconds. This cannot be taken back.'
              : `After this, no payout can be taken out. The next step is to ${isWorksheet ? 'pay them one by one' : 'send the file'}. Until then, the batch can be dissolved.`
        }
        start={{ sameDay: false }}
        send={(_, { sameDay }) =>
          orRefetch(client, call(routes.releaseBatch, { params, body: { sameDay: offersToday && sameDay } }))
        }
        failed={notDone}
        done={(changed) => answered(isFirstApproval ? 'Batch Approved' : 'Batch Released', changed)}
        onDone={keep.batch}
        focusSubmit
        submit={
          <span>
            {isFirstApproval ? 'Approve' : 'Release'} <Money amount={batch.total} />
          </span>
        }
      >
        {(field) => (
          <>
            <Contents batch={batch} />
            <CameBack batch={batch} />
            {offersToday && !isFirstApproval && (
              <CheckField
                label="Pay today by same-day ACH. The bank may charge a fee"
                {...field('sameDay')}
              />
            )}
          </>
        )}
      </ActionDialog>
      <ActionDialog
        open={asked === 'dissolve'}
        onClose={close}
        title={`Dissolve batch ${batch.number}?`}
        description="Its payouts are due again. No money leaves."
        send={() => call(routes.voidBatch, { params })}
        failed={notDone}
        done={(changed) => answered('Batch Dissolved', changed)}
        onDone={keep.batch}
        submit="Dissolve batch"
        danger
      >
        <Contents batch={batch} />
      </ActionDialog>
      <ActionDialog
        open={asked === 'confirm'}
        onClose={close}
        title={`Mark batch ${batch.number} as paid?`}
        description="Completes the submissions of its payouts and tells the sellers. Payouts that came back stay returned."
        schema={payment}
        start={{ reference: '', isPaidEarly: false }}
        check={({ isPaidEarly }) =>
          isEarly && !isPaidEarly ? [{ path: 'isPaidEarly', code: 'paid_unchecked' }] : []
        }
        send={(body) => call(routes.confirmBatch, { params, body })}
        failed={notDone}
        done={() => ({
          title: 'Batch Paid',
          description: `The payouts of batch ${batch.number} are being recorded as paid.`,
        })}
        onDone={keep.batch}
        submit={
          <span>
            Mark {counted(batch.count - batch.paidCount - batch.returnedCount)},{' '}
            <Money amount={batch.openTotal} />, as paid
          </span>
        }
      >
        {(field) => (
          <>
            <Contents batch={batch} />
            {isEarly && batch.expectedOn && (
              <Notice
                tone="caution"
                title={
                  <>
                    The money is expected to arrive on <Time at={batch.expectedOn} as="day" />
                  </>
                }
              >
                <CheckField
                  label="The bank or service has already paid all of it"
                  {...field('isPaidEarly')}
                />
              </Notice>
            )}
            <ConfirmationField
              optional
              autoFocus
              hint="Of the bank or service, for all payouts of the batch. The sellers see it"
              {...field('reference')}
            />
          </>
        )}
      </ActionDialog>
      <Dialog
        open={asked === 'settle'}
        onOpenChange={close}
        title={`Mark batch ${batch.number} as settled?`}
        description={
          isOpen && !batch.confirmedAt
            ? 'The statement shows that the money left. Its payouts are recorded as paid, and the sellers get an email.'
            : 'The statement shows that the money left. Payouts can still come back.'
        }
      >
        <Contents batch={batch} />
        <SettleForm batch={batch} onDone={close} />
      </Dialog>
    </div>
  )
}

/** Who can make the next step, and has a notification about it. */
function Releasers({ batch, isFirstApproval }: { batch: WireBatch; isFirstApproval: boolean }) {
  const { admin } = useStaff()
  const { releasers } = batch
  const step = isFirstApproval ? 'approve' : 'release'
  const names = releasers.map((name) => (name === admin.username ? 'you' : name))
  const missing = missingReleasers(batch, batch.payers, releaseRulesOf(batch))
  if (missing > 0) {
    const title =
      names.length === 0
        ? `Nobody may ${isFirstApproval ? 'approve or release' : 'release'} this batch`
        : `Only ${names.join(', ')} may approve this batch, and it needs two approvals`
    return (
      <Notice tone="caution" title={title}>
        Ask an owner for {morePeople(missing)} who may pay, or dissolve it.
      </Notice>
    )
  }
  return (
    <p className="text-sm">
      <span className="text-soft">May {step} it:</span> {names.join(', ')}
    </p>
  )
}

/** Says before the freeze that too few people are left to release the batch, and what to do. */
function StuckNotice({ batch }: { batch: WireBatch }) {
  const { admin } = useStaff()
  const rules = releaseRulesOf(batch)
  const frozen = { ...batch, frozenBy: admin.username }
  const left = releasersOf(frozen, batch.payers, rules)
  const freezers = freezersOf(batch, batch.payers, rules)
  return (
    <Notice
      tone="caution"
      title={
        left.length === 0
          ? 'After you freeze it, nobody is left who may release it'
          : `After you freeze it, only ${left.join(', ')} may approve it, and it needs two approvals`
      }
    >
      {freezers.length > 0
        ? `Let ${freezers.join(' or ')} freeze it instead.`
        : `First ask an owner for ${morePeople(missingReleasers(frozen, batch.payers, rules))} who may pay.`}
    </Notice>
  )
}

const morePeople = (count: number) => (count === 1 ? 'another person' : 'two more people')

const releaseRulesOf = ({ needsTwoApprovals, needsOtherToFreeze }: WireBatch) => ({
  needsTwo: needsTwoApprovals,
  alwaysTwoPersons: needsOtherToFreeze,
})

/** One move of the batch. A refusal is shown in a toast. @param quiet the page or the dialog shows it */
function useStep(send: () => Promise<WireBatch>, title?: string, { quiet = false } = {}) {
  const keep = useKeep()
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => orRefetch(client, send()),
    onSuccess: (batch) => {
      keep.batch(batch)
      if (title) toast(answered(title, batch))
    },
    ...(!quiet && { onError: toastFailure('Not Done', notDone) }),
  })
}

/** Refetches the batch if the server refuses its move, because the page was out of date. */
async function orRefetch<Answer>(client: QueryClient, answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer
  } catch (error) {
    void refreshPayouts(client)
    throw error
  }
}

/** The day on the clocks of the bank. */
const easternToday = () => dayIn('America/New_York', new Date(serverNow()))

const isExpectedLater = ({ expectedOn }: WireBatch) => expectedOn !== null && expectedOn > easternToday()

const notDone = 'The batch could not be changed.'
const youFroze = 'You froze this batch, so somebody else has to release it.'

const youCreated = 'You created this batch, so somebody else has to freeze it.'
const approvalWords = {
  made: 'You created or froze this batch. Two others have to approve it.',
  approved: 'You approved this batch, so somebody else has to release it.',
  none: undefined,
} as const

/** A provider that has the batch could still pay it. */
const mayDissolve = ({ providerState }: WireBatch) =>
  !providerState || unsentProviderStates.includes(providerState)

const isMaker = ({ needsOtherToFreeze, createdBy }: WireBatch, username: string) =>
  needsOtherToFreeze && createdBy === username

function sayNotAllowed(description: string): void {
  toast({ title: 'Not Allowed', description, variant: 'destructive' })
}

const hints = {
  open: 'Freezing checks every payout and fixes the contents.',
  frozen: 'Check the payouts below and the total. Releasing makes the file.',
  frozenForProvider: 'Check the payouts below and the total. Releasing sends it through PayPal.',
  withProvider: '',
  released: 'Send the file to the bank or service. Each download gives the same bytes.',
  releasedWorksheet: 'Pay the payouts one by one, and enter the confirmation number of each.',
  exported:
    'Mark all as paid when the bank or service says that it has paid them. Mark as settled when the statement shows that the money left, which also marks them as paid. Import what came back.',
  exportedWorksheet: '',
  paid: 'Mark the batch as settled when the statement shows that the money left.',
  reported: '',
  rejected: 'Never send this file again: new payouts are due in its place.',
  settled: '',
  void: '',
} as const

function hintOf(batch: WireBatch): ReactNode {
  if (batch.state !== 'frozen' || !batch.needsTwoApprovals || batch.approvedBy) return hints[hintName(batch)]
  return (
    <>
      Check the payouts below and the total. The batch needs two approvals
      {batch.twoApprovalsAbove !== null && (
        <>
          , because it is above <Money amount={batch.twoApprovalsAbove} />
        </>
      )}
      . The second one releases it.
    </>
  )
}

function hintName(batch: WireBatch): keyof typeof hints {
  if (isPaid(batch)) return batch.sentBy ? 'withProvider' : 'paid'
  if (batch.providerState) return 'withProvider'
  if (batch.state === 'exported' && batch.rejectionReportedBy) return 'reported'
  if (batch.sentBy && batch.state === 'frozen') return 'frozenForProvider'
  const isWorksheet = batch.file === 'worksheet'
  if (isWorksheet && (batch.state === 'released' || batch.state === 'exported')) {
    return `${batch.state}Worksheet`
  }
  return batch.state
}

interface StepButtonProps {
  action: Action
  icon?: ReactNode
  /** A secondary button, not the next step. */
  secondary?: boolean
  unavailable?: boolean
  loading?: boolean
  onClick: () => void
  children: ReactNode
}

function StepButton({ secondary = false, unavailable = false, ...button }: StepButtonProps) {
  return (
    <KeyButton
      variant={secondary ? 'secondary' : 'primary'}
      size="sm"
      aria-disabled={unavailable || undefined}
      {...button}
    />
  )
}

function CameBack({ batch: { cameBackCount } }: { batch: WireBatch }) {
  if (cameBackCount === 0) return null
  return <p className="font-medium text-caution text-sm">{cameBackWarning(cameBackCount)}.</p>
}

/** What the batch sends, so that it can be compared before something irreversible. */
function Contents({ batch }: { batch: WireBatch }) {
  const t = useWords()
  const { file, paymentTypes, count, total, openTotal, paidCount, returnedCount, sentBy } = batch
  return (
    <Ledger>
      <LedgerRow name="Payouts">
        {count.toLocaleString('en-US')}
        {inPayments(batch)}
      </LedgerRow>
      {returnedCount > 0 && <LedgerRow name="Returned">{returnedCount.toLocaleString('en-US')}</LedgerRow>}
      {paidCount > 0 && <LedgerRow name="Paid before">{paidCount.toLocaleString('en-US')}</LedgerRow>}
      <LedgerRow name={paidCount + returnedCount > 0 ? 'Total of all payouts' : 'Total'}>
        <Money amount={total} size="lg" />
      </LedgerRow>
      {paidCount + returnedCount > 0 && (
        <LedgerRow name="Not paid yet">
          <Money amount={openTotal} size="lg" />
        </LedgerRow>
      )}
      <LedgerRow name="Method">{paymentTypes.map((type) => t(`payments.type.${type}`)).join(', ')}</LedgerRow>
      <LedgerRow name="Leaves as">{sentBy ? 'Payment through PayPal' : fileWords[file]}</LedgerRow>
    </Ledger>
  )
}
