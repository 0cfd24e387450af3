import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Check, TriangleAlert } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { routes } from '#contract/routes.ts'
import type { StaffSubmission } from '#contract/staff-submissions.ts'
import { parseDollars, toDollars } from '#domain/money.ts'
import { commitsToPay } from '#domain/risk.ts'
import { may } from '#domain/roles.ts'
import { type Move, movesFrom, SALE_DECISION_SECONDS, type Status, staffStatus } from '#domain/submission.ts'
import { BrandTile } from '#web/cards/BrandTile.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { Button } from '#web/kit/Button.tsx'
import { ChoiceField } from '#web/kit/ChoiceField.tsx'
import { Dialog } from '#web/kit/Dialog.tsx'
import { Form, FormActions } from '#web/kit/Form.tsx'
import { Money } from '#web/kit/Money.tsx'
import { Notice } from '#web/kit/Notice.tsx'
import { toast } from '#web/kit/toast.ts'
import { call } from '#web/wire/call.ts'
import { serverNow } from '#web/wire/server-clock.ts'
import { SellerReason } from '../../facts/SellerReason.tsx'
import { cards as countCards } from '../../facts/stock-words.ts'
import { holderAt } from '../../shell/claim.ts'
import { KeyButton } from '../../shell/keys/KeyHint.tsx'
import { moveHints, moveLabel } from '../../shell/keys/move-label.ts'
import { useKeys } from '../../shell/keys/use-keys.ts'
import { QueryStatus } from '../../shell/QueryStatus.tsx'
import { refreshSubmissions } from '../../shell/submission-queries.ts'
import { useStaff } from '../../shell/use-staff.ts'
import { CardChecks, CheckLine } from './CardChecks.tsx'
import { openRisk } from './open-risk.ts'
import { offerUndo } from './UndoBar.tsx'
import { failureText, sendMove } from './use-move.ts'

interface SaleDecisionProps {
  submission: StaffSubmission
  /** Called when the open submission was moved, with all that were. */
  onMoved: (to: Status, decided: readonly string[]) => void
}

/** Approves or rejects all undecided cards of a sale at once. */
export function SaleDecision({ submission, onMoved }: SaleDecisionProps) {
  const { admin } = useStaff()
  const [open, setOpen] = useState(false)
  const [openings, setOpenings] = useState(0)
  const [decided, setDecided] = useState<readonly StaffSubmission[]>([])
  const isOffered = may(admin.role, 'decide') && isUndecided(submission)
  useKeys(isOffered ? { decideSale: show } : {})

  /** Reads the cards again, also if the dialog has not finished closing. */
  function show() {
    setOpenings(openings + 1)
    setOpen(true)
  }

  const moveOn = useEffectEvent(() => {
    const own = decided.find(({ id }) => id === submission.id)
    const ids = decided.map(({ id }) => id)
    if (own) onMoved(staffStatus(own.status), ids)
  })
  useEffect(() => {
    if (decided.length === 0 || open) return
    setDecided([])
    moveOn()
  }, [decided, open])

  if (!isOffered && !open) return null
  return (
    <>
      <KeyButton
        action="decideSale"
        variant="quiet"
        size="sm"
        className="-my-3 whitespace-nowrap! px-2"
        onClick={show}
      >
        Decide on all
      </KeyButton>
      <Dialog
        wide
        open={open}
        onOpenChange={setOpen}
        title="Decide on the whole sale"
        description={`Cards that ${submission.user.username} submitted together`}
      >
        <Sale
          key={openings}
          ids={submission.sale?.ids ?? []}
          onClose={() => setOpen(false)}
          onDecided={setDecided}
        />
      </Dialog>
    </>
  )
}

function isUndecided({ status }: StaffSubmission): boolean {
  return findMove(status, 'reject') !== undefined
}

function findMove(status: string, name: 'start' | 'reject'): Move | undefined {
  return movesFrom(staffStatus(status), 'staff').find((move) => move.name === name)
}

interface SaleProps {
  ids: readonly string[]
  onClose: () => void
  onDecided: (moved: readonly StaffSubmission[]) => void
}

function Sale({ ids, ...more }: SaleProps) {
  const query = useQuery({
    queryKey: [routes.staffSubmission.path, 'sale', ids],
    queryFn: () => Promise.all(ids.map((id) => call(routes.staffSubmission, { params: { id } }))),
    staleTime: 0,
    gcTime: 0,
  })
  if (!query.data || !query.isFetchedAfterMount) return <QueryStatus query={query} noun="the sale" />
  return <SaleForm loaded={query.data.filter(isUndecided)} {...more} />
}

interface Refused {
  readonly card: StaffSubmission
  readonly text: string
}

/** Keeps the cards as they were when the dialog opened, so that each move has the version that the reviewer saw. */
function SaleForm({ loaded, onClose, onDecided }: Omit<SaleProps, 'ids'> & { loaded: StaffSubmission[] }) {
  const client = useQueryClient()
  const { admin } = useStaff()
  const [cards] = useState(loaded)
  const [name, setName] = useState<'start' | 'reject'>('start')
  const [refused, setRefused] = useState<readonly Refused[]>([])
  const confirm = useRef<HTMLButtonElement>(null)
  const form = useForm({ start: { reason: '' } })
  const { reason } = form.values
  const decisions = cards.map((card) => ({ card, move: findMove(card.status, name) }))
  const [first] = decisions
  const isBlocked = decisions.some(({ card, move }) => blockerOf(card, move, admin.id) !== undefined)
  const needsReason = name === 'reject'
  const total = toDollars(cards.reduce((sum, { quote }) => sum + (parseDollars(quote) ?? 0), 0))
  const label = `${labels[name]} ${countCards(cards.length)}${needsReason ? '' : ` · ${total}`}`

  const sending = useMutation({
    mutationFn: async () => {
      const sentAt = Date.now()
      const moved: StaffSubmission[] = []
      const refused: Refused[] = []
      // In turn, so that a limit on payouts refuses the last ones.
      for (const { card, move } of decisions) {
        if (!move) continue
        try {
          moved.push(await sendMove(card, { move, reason: needsReason ? reason.trim() : undefined }))
        } catch (error) {
          refused.push({ card, text: failureText(error) })
        }
      }
      return { moved, refused, latestUndo: sentAt + SALE_DECISION_SECONDS * 1000 }
    },
    onSuccess: ({ moved, refused, latestUndo }) => {
      setRefused(refused)
      if (refused.length === 0) {
        toast({
          title: 'Status Updated',
          description: `${countCards(moved.length)} ${moved.length === 1 ? 'is' : 'are'} now ${needsReason ? 'Rejected' : 'Processing'}.`,
        })
        onClose()
      }
      if (first?.move) offerUndo(moved, first.move, Math.min(Date.now(), latestUndo))
      onDecided(moved)
      void refreshSubmissions(client)
    },
  })

  if (refused.length > 0) {
    return (
      <div className="grid gap-4">
        <Notice
          tone="negative"
          title={`${refused.length} of ${countCards(cards.length)} ${refused.length === 1 ? 'was' : 'were'} refused`}
          urgent
        >
          <ul className="grid gap-1">
            {refused.map(({ card, text }) => (
              <li key={card.id}>
                {card.brandName} {card.cardNumber}: {text}
              </li>
            ))}
          </ul>
        </Notice>
        <div>
          <Button variant="secondary" autoFocus onClick={onClose}>
            Done
          </Button>
        </div>
      </div>
    )
  }
  return (
    <Form
      onSubmit={(event) => {
        event.preventDefault()
        if (!isBlocked && !sending.isPending && (!needsReason || reason.trim())) sending.mutate()
      }}
    >
      <ChoiceField
        label="Decision"
        name="decision"
        choices={[
          { value: 'start', label: labels.start, hint: moveHints.start },
          { value: 'reject', label: labels.reject, hint: 'Nothing is paid' },
        ]}
        selected={name}
        onSelect={setName}
      />
      <ul aria-label="Cards" className="divide-y divide-line border-line border-y">
        {decisions.map(({ card, move }) => (
          <CardLine key={card.id} card={card} blocker={blockerOf(card, move, admin.id)} />
        ))}
      </ul>
      {needsReason && first?.move && (
        <SellerReason
          move={first.move}
          brand={cards.every(({ brand }) => brand === first.card.brand) ? first.card.brand : undefined}
          seller={first.card.user}
          amount={undefined}
          text={reason}
          field={form.field('reason')}
          onPick={(picked) => {
            form.setValue('reason', picked)
            confirm.current?.focus()
          }}
        />
      )}
      <FormActions
        ref={confirm}
        autoFocus={!needsReason}
        variant={needsReason ? 'danger' : 'primary'}
        loading={sending.isPending}
        aria-disabled={isBlocked || (needsReason && !reason.trim()) || undefined}
        onCancel={onClose}
      >
        {label}
      </FormActions>
    </Form>
  )
}

const labels = {
  start: moveLabel({ from: 'pending', to: 'processing' }),
  reject: moveLabel({ from: 'pending', to: 'rejected' }),
}

/** Why the sale cannot be decided this way as a whole, as far as this page knows. The server checks each move. */
function blockerOf(card: StaffSubmission, move: Move | undefined, ownId: string): string | undefined {
  const holder = holderAt(card.claimedBy, serverNow())
  if (holder && holder.id !== ownId) return `${holder.username} is working on it`
  if (!move) return 'Waits for the seller: decide on it separately'
  if (!commitsToPay(move)) return undefined
  return (
    openRisk(card, move)?.message ?? (card.balanceCheckNeeded ? 'Needs a balance check first' : undefined)
  )
}

function CardLine({ card, blocker }: { card: StaffSubmission; blocker: string | undefined }) {
  return (
    <li className="flex items-center gap-3 py-2.5">
      <BrandTile name={card.brandName} size="sm" />
      <div className="grid min-w-0 flex-1">
        <p className="flex flex-wrap gap-x-2">
          <span className="font-semibold">{card.brandName}</span>
          <span className="figures text-soft">{card.cardNumber}</span>
        </p>
        <div className="text-sm">
          {blocker ? (
            <CheckLine icon={<TriangleAlert className="text-negative" />}>{blocker}</CheckLine>
          ) : card.risks?.length ? (
            <CheckLine icon={<Check className="text-soft" />}>
              Nothing blocks it, but look at the risks
            </CheckLine>
          ) : (
            <CheckLine icon={<Check className="text-positive" />}>Nothing blocks it</CheckLine>
          )}
          <CardChecks card={card} blocker={blocker} />
        </div>
      </div>
      <span className="grid justify-items-end">
        <Money amount={card.quote} className="font-semibold" />
        <span className="text-soft text-sm">
          of <Money amount={card.denomination} />
        </span>
      </span>
    </li>
  )
}
