import { useMutation, useQuery } from '@tanstack/react-query'
import { FileX, X } from 'lucide-react'
import type { WirePayout } from '#contract/payouts.ts'
import { routes } from '#contract/routes.ts'
import { referenceOf, shortReferenceOf } from '#domain/reference.ts'
import { may } from '#domain/roles.ts'
import { Button, ButtonLink, IconButton, TextLink } from '#web/kit/Button.tsx'
import { Dialog } from '#web/kit/Dialog.tsx'
import { EmptyState } from '#web/kit/EmptyState.tsx'
import { Money } from '#web/kit/Money.tsx'
import { onOneLine } from '#web/kit/masked.tsx'
import { Notice } from '#web/kit/Notice.tsx'
import { Time } from '#web/kit/Time.tsx'
import { toast } from '#web/kit/toast.ts'
import { call } from '#web/wire/call.ts'
import { ApiError, messageOf } from '#web/wire/errors.ts'
import { read } from '#web/wire/read.ts'
import { pathTo } from '#web/words/paths.ts'
import { useWords } from '#web/words/words.ts'
import { CopyButton } from '../facts/CopyButton.tsx'
import { Fact, Facts } from '../facts/Facts.tsx'
import { Holds } from '../facts/Holds.tsx'
import { PayoutBadge } from '../facts/PayoutBadge.tsx'
import {
  isOnWorksheet,
  leadsPayment,
  noteOn,
  problemWords,
  voidText,
  waitingWords,
} from '../facts/payout-words.ts'
import { RevealButton } from '../facts/RevealButton.tsx'
import { useSideBySide } from '../list/use-side-by-side.ts'
import { KeysAreOff } from '../shell/keys/KeyHint.tsx'
import { useKeys } from '../shell/keys/use-keys.ts'
import { QueryStatus } from '../shell/QueryStatus.tsx'
import { useStaff } from '../shell/use-staff.ts'
import { Account, useAccount } from './Account.tsx'
import { PayoutActions } from './PayoutActions.tsx'
import { usePayoutView } from './use-payout-view.ts'

/** The open payout: beside the list, or above it on narrow screens. Nothing if none is open. */
export function PayoutPanel({ listed, onClose }: PayoutPanelProps) {
  const { shown } = usePayoutView()
  const sideBySide = useSideBySide()
  const { id } = shown
  // A link can open a payout that the list does not have.
  const loaded = useQuery({ ...read(routes.payout, { params: { id: id ?? '' } }), enabled: id !== undefined })
  const number = (listed ?? loaded.data)?.number
  if (!sideBySide) {
    return (
      <Dialog
        open={id !== undefined}
        onOpenChange={(open) => open || onClose()}
        title={number === undefined ? 'Payout' : `Payout ${number}`}
      >
        <KeysAreOff value={true}>{id && <Loaded key={id} id={id} listed={listed} />}</KeysAreOff>
      </Dialog>
    )
  }
  if (!id) return null
  return (
    <section
      data-panel
      aria-label="Payout"
      className="relative min-h-0 overflow-y-auto rounded-lg border border-line bg-surface p-5"
    >
      <IconButton label="Close" onClick={onClose} className="absolute top-2 right-2">
        <X className="size-5" />
      </IconButton>
      <Loaded key={id} id={id} listed={listed} />
    </section>
  )
}

interface PayoutPanelProps {
  listed: WirePayout | undefined
  onClose: () => void
}

function Loaded({ id, listed }: { id: string; listed: WirePayout | undefined }) {
  const query = useQuery({
    ...read(routes.payout, { params: { id } }),
    ...(listed && { placeholderData: listed }),
  })
  if (query.data) return <OpenPayout payout={query.data} />
  const isGone = query.error instanceof ApiError && [400, 404].includes(query.error.status)
  if (!isGone) return <QueryStatus query={query} noun="the payout" rows={4} />
  return (
    <EmptyState icon={<FileX />} title="Payout not found">
      The link is wrong or incomplete.
    </EmptyState>
  )
}

function OpenPayout({ payout }: { payout: WirePayout }) {
  const { admin } = useStaff()
  const t = useWords()
  const reveal = useAccount(payout)
  const mayReveal = may(admin.role, 'reveal_accounts') && payout.state !== 'void'
  useKeys(mayReveal ? { revealAccount: reveal.toggle } : {})
  return (
    <div className="grid grid-cols-1 gap-4">
      <header className="grid gap-1 pr-10">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h2 className="text-soft text-sm max-[1100px]:hidden">Payout {payout.number}</h2>
          <PayoutBadge payout={payout} />
        </div>
        <Money amount={payout.amount} size="xl" />
        <p className="text-soft text-sm">
          to{' '}
          <TextLink to={pathTo('adminSeller', { id: payout.sellerId })} className="wrap-anywhere">
            {payout.username}
          </TextLink>{' '}
          {may(admin.role, 'chat') && (
            <>
              (<TextLink to={pathTo('adminChat', { user: payout.sellerId })}>Message</TextLink>){' '}
            </>
          )}
          for{' '}
          <TextLink to={pathTo('admin', { id: payout.submissionId })}>
            {payout.brandName}{' '}
            <span className="whitespace-nowrap font-mono text-xs">{referenceOf(payout.submissionId)}</span>
          </TextLink>
        </p>
      </header>
      <Problem payout={payout} />
      {may(admin.role, 'pay') && <PayoutActions payout={payout} />}
      <Facts
        title={t(`payments.type.${payout.paymentType}`)}
        action={mayReveal && <RevealButton reveal={reveal} action="revealAccount" />}
      >
        <Account payout={payout} reveal={reveal} />
      </Facts>
      <Facts title="Record">
        {!payout.reference && leadsPayment(payout) && (
          <Fact name="Reference" code>
            <span title="What the seller reads in the email and beside the payout">
              {shortReferenceOf(payout.id)}
            </span>
          </Fact>
        )}
        {payout.voidReason && (
          <Fact name="Void because">
            <span className="whitespace-pre-line">{voidText(payout)}</span>
          </Fact>
        )}
        {payout.voided && (
          <Fact name="Voided">
            <Time at={payout.voided.at} as="dateTime" /> by {payout.voided.by}
          </Fact>
        )}
        {payout.reference && (
          <Fact
            name="Confirmation number"
            code
            action={<CopyButton name="confirmation number" value={payout.reference} />}
          >
            {payout.reference}
          </Fact>
        )}
        {payout.paidBefore && <PaidBefore {...payout.paidBefore} />}
        {payout.deducted !== '0.00' && (
          <Fact name="Deducted">
            <Money amount={payout.deducted} /> <span className="text-soft">for bad cards</span>
          </Fact>
        )}
        <Fact name="Due">
          <Time at={payout.dueAt} as="dateTime" />
        </Fact>
        {payout.entry && <EntryFact entry={payout.entry} />}
        {payout.batchId && <BatchFact id={payout.batchId} number={payout.batchNumber} />}
        {payout.sentAt && (
          <Fact name={isOnWorksheet(payout) ? 'Started' : 'Sent'}>
            <Time at={payout.sentAt} as="dateTime" /> {payout.byHand && 'by hand'}
          </Fact>
        )}
        {payout.expectedOn && payout.state !== 'returned' && (
          <Fact name="Expected">
            <Time at={payout.expectedOn} as="day" />
          </Fact>
        )}
        {payout.paidAt && (
          <Fact name="Paid">
            <Time at={payout.paidAt} as="dateTime" />
          </Fact>
        )}
        {payout.returnedAt && (
          <Fact name="Returned">
            <Time at={payout.returnedAt} as="dateTime" />
          </Fact>
        )}
      </Facts>
      <Holds about={{ submissionId: payout.submissionId }} />
    </div>
  )
}

/** Emails the seller the confirmation link again. */
function SendAgain({ id }: { id: string }) {
  const sending = useMutation({
    mutationFn: () => call(routes.remindToConfirm, { params: { id } }),
    onSuccess: ({ username }) =>
      toast({ title: 'Confirmation Sent', description: `At most 5 emails an hour reach ${username}.` }),
    onError: (error) =>
      toast({
        title: 'Confirmation Not Sent',
        description: messageOf(error, 'The email could not be sent.'),
        variant: 'destructive',
      }),
  })
  return (
    <Button size="sm" variant="secondary" loading={sending.isPending} onClick={() => sending.mutate()}>
      Send again
    </Button>
  )
}

function PaidBefore({ reference, sentAt, notSentAt, abandonedBatch }: NonNullable<WirePayout['paidBefore']>) {
  return (
    <>
      <Fact name={abandonedBatch === null ? 'Reverted' : 'Paid late'}>
        {abandonedBatch === null ? 'Paid by hand' : `By PayPal in abandoned batch ${abandonedBatch}, found`}{' '}
        <Time at={sentAt} as="dateTime" />
        {reference && `, reference ${reference}`}
      </Fact>
      {notSentAt && (
        <Fact name="Not sent">
          Checked <Time at={notSentAt} as="dateTime" />
        </Fact>
      )}
    </>
  )
}

function EntryFact({ entry: { number, count, total } }: { entry: NonNullable<WirePayout['entry']> }) {
  return (
    <Fact name="Payment">
      One of {count} cards in payment {number} of <Money amount={total} />
    </Fact>
  )
}

function BatchFact({ id, number }: { id: string; number: number | null }) {
  return (
    <Fact name="Batch">
      <TextLink to={pathTo('adminPayouts', { batch: id })}>Batch {number}</TextLink>
    </Fact>
  )
}

/** How a void payout is paid after all. */
function AfterVoid({ payout: { replacedBy, needsAccount, voidReason } }: { payout: WirePayout }) {
  if (replacedBy) {
    return (
      <Notice tone="info" title="Replaced">
        It is paid with <Replacement {...replacedBy} />.
      </Notice>
    )
  }
  if (needsAccount) {
    return (
      <Notice tone="caution" title="We still owe this money">
        The seller is asked for another account. Once it is entered, a new payout is due.
      </Notice>
    )
  }
  return (
    voidReason === 'failed' && (
      <Notice tone="info" title="We do not owe this money now">
        The seller cannot enter another account. To pay the card after all, open its submission and revert the
        failure.
      </Notice>
    )
  )
}

function Replacement({ id, number }: NonNullable<WirePayout['replacedBy']>) {
  return <TextLink to={pathTo('adminPayouts', { view: 'all', id })}>payout {number}</TextLink>
}

function Problem({ payout }: { payout: WirePayout }) {
  const { admin } = useStaff()
  const mayPay = may(admin.role, 'pay')
  const { problem, batchableAt, returnReason, returnCode, changeCode, deadAccount, prenote, replacedBy } =
    payout
  if (returnReason && payout.state === 'returned') {
    return (
      <Notice tone="negative" title={`The money came back from ${onOneLine(payout.account)}`}>
        {returnCode && <span className="font-mono">{returnCode} </span>}
        {returnReason.replace(/\.$/, '')}. {deadAccount && 'This account cannot be in a batch again. '}
        {replacedBy ? (
          <>
            Account changed · <Replacement {...replacedBy} />
          </>
        ) : (
          'The seller has to enter another one.'
        )}
      </Notice>
    )
  }
  if (payout.state === 'void') return <AfterVoid payout={payout} />
  if (changeCode) {
    return (
      <Notice tone="caution" title={`The bank has different details for the account (${changeCode})`}>
        Compare them with the account. The seller is asked to correct it
        {deadAccount && ', and it cannot be in a batch until then'}.
      </Notice>
    )
  }
  if (payout.providerState) {
    return <Notice tone="info" title={`${waitingWords[payout.providerState]}.`} />
  }
  if (!problem) {
    const note = noteOn(payout)
    return note ? (
      <Notice tone={note.isCalm ? 'info' : 'caution'} title={note.name}>
        {note.whatToDo}
      </Notice>
    ) : null
  }
  const { name, whatToDo } = problemWords[problem]
  return (
    <Notice
      tone="caution"
      title={`${name}: it cannot ${payout.state === 'due' ? 'be in a batch' : 'leave with its batch'}`}
      action={
        (problem === 'email_unconfirmed' && mayPay && <SendAgain id={payout.id} />) ||
        (problem === 'routing_number' && may(admin.role, 'chat') && (
          <ButtonLink
            to={pathTo('adminChat', { user: payout.sellerId, about: payout.submissionId })}
            variant="secondary"
            size="sm"
          >
            Ask the seller
          </ButtonLink>
        ))
      }
    >
      {problem === 'account_dead' && deadAccount && `${deadAccount.reason}. `}
      {whatToDo}
      {payout.state === 'batched' && ' Take it out of the batch, so that the others can leave.'}
      {problem === 'account_dead' &&
        deadAccount &&
        mayPay &&
        ' If it can be paid after all, press Allow account.'}
      {problem === 'paid_before' && ' Record it as paid if it was, otherwise as not sent.'}
      {problem === 'account_new' && (
        <>
          {' '}
          It can be in a batch from <Time at={batchableAt} as="dateTime" />.
        </>
      )}
      {problem === 'prenote_waiting' &&
        (prenote?.sentAt && prenote.payableOn ? (
          <>
            {' '}
            Sent on <Time at={prenote.sentAt} as="dateTime" />, can be paid from{' '}
            <Time at={prenote.payableOn} as="day" />.
          </>
        ) : (
          ' Its file has not left yet.'
        ))}
    </Notice>
  )
}
