import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { MAX_BULK, type StockItem, stockChanges } from '#contract/inventory.ts'
import type { Answer } from '#contract/route.ts'
import { routes } from '#contract/routes.ts'
import { mayMoveStock, type StockState } from '#domain/inventory.ts'
import { inDollars, parseDollars, toDollars } from '#domain/money.ts'
import { monthBefore } from '#domain/reports.ts'
import { ActionForm } from '#web/forms/ActionForm.tsx'
import { Button } from '#web/kit/Button.tsx'
import { cx } from '#web/kit/cx.ts'
import { Dialog, useLast } from '#web/kit/Dialog.tsx'
import { onOneLine } from '#web/kit/masked.tsx'
import { Notice } from '#web/kit/Notice.tsx'
import { TextField } from '#web/kit/TextField.tsx'
import { Time } from '#web/kit/Time.tsx'
import { call } from '#web/wire/call.ts'
import { read } from '#web/wire/read.ts'
import { cards, stockWords } from '../facts/stock-words.ts'
import { useToday } from '../shell/use-today.ts'

interface Change {
  readonly to: StockState
  readonly items: readonly StockItem[]
}

interface ChangeDialogProps {
  change: Change | undefined
  onClose: () => void
  onDone: () => void
}

/** Records a new status of the chosen cards. */
export function ChangeDialog({ change, onClose, onDone }: ChangeDialogProps) {
  const shown = useLast(change)
  if (!shown) return null
  const { action, meaning } = stockWords[shown.to]
  return (
    <Dialog
      open={change !== undefined}
      onOpenChange={(next) => next || onClose()}
      title={`${action}: ${cards(movable(shown).length)}`}
      description={meaning}
    >
      <ChangeForm key={shown.to} change={shown} onClose={onClose} onDone={onDone} />
    </Dialog>
  )
}

function movable({ to, items }: Change): readonly StockItem[] {
  return items.filter(({ state }) => mayMoveStock(state, to)).slice(0, MAX_BULK)
}

function ChangeForm({ change: { to, items }, onClose, onDone }: ChangeDialogProps & { change: Change }) {
  const today = useToday()
  const [refused, setRefused] = useState<Answer<typeof routes.changeStocks>['refused']>([])
  const chosen = movable({ to, items })
  const left = items.length - chosen.length
  if (refused.length > 0) return <Refused refused={refused} items={items} onClose={onClose} />
  return (
    <ActionForm
      schema={stockChanges}
      start={{
        ids: chosen.map(({ id }) => id),
        state: to,
        channel: chosen[0]?.channel ?? '',
        soldAt: to === 'sold' ? today : '',
        proceeds: '',
      }}
      send={(_, body) => call(routes.changeStocks, { body })}
      failed="The cards could not be changed."
      done={({ changed }) =>
        changed > 0
          ? { title: 'Inventory Changed', description: `${cards(changed)} ${stockWords[to].done}` }
          : undefined
      }
      refreshes={[routes.inventory, routes.stockTotals, routes.auditLog]}
      onDone={(answer) => {
        onDone()
        setRefused(answer.refused)
        if (answer.refused.length === 0) onClose()
      }}
      onCancel={onClose}
      focusSubmit={to === 'used' || to === 'in_stock'}
      submit={stockWords[to].action}
      danger={to === 'bad'}
    >
      {(field, { values }) => (
        <>
          {left > 0 && (
            <p className="text-soft text-sm">
              {cards(left)} of your selection {left === 1 ? 'does not change' : 'do not change'}.
            </p>
          )}
          <Chosen items={chosen} />
          {to === 'bad' && <Debt items={chosen} />}
          {(to === 'listed' || to === 'sold') && (
            <TextField
              label="Channel"
              optional
              autoFocus
              autoComplete="off"
              hint="Where the cards are offered or were sold"
              {...field('channel')}
            />
          )}
          {to === 'sold' && (
            <div className="grid items-start gap-5 sm:grid-cols-2">
              <TextField
                label="Day of the sale"
                type="date"
                max={today}
                hint={<ClosedMonthHint soldOn={values.soldAt} />}
                {...field('soldAt')}
              />
              <TextField
                label={chosen.length === 1 ? 'Proceeds' : 'Proceeds of each card'}
                inputMode="decimal"
                autoComplete="off"
                prefix="$"
                hint={<Margin items={chosen} proceeds={values.proceeds} />}
                {...field('proceeds')}
              />
            </div>
          )}
        </>
      )}
    </ActionForm>
  )
}

/** Says that a sale in a closed month is accepted, but counts in the next one. */
function ClosedMonthHint({ soldOn }: { soldOn: string }) {
  const closedThrough = useQuery(read(routes.closedMonths, {})).data?.closedThrough
  if (!closedThrough || !soldOn || soldOn.slice(0, 7) > closedThrough) return null
  const bookedOn = `${monthBefore(`${closedThrough}-01`, -1)}-01`
  return (
    <span className="text-caution">
      This month is closed, so the sale is booked on <Time at={bookedOn} />
    </span>
  )
}

const costOf = (items: readonly StockItem[]) =>
  items.reduce((sum, { cost }) => sum + (parseDollars(cost) ?? 0), 0)

/** At most this many cards are named. The others are counted. */
const MAX_NAMED = 4

/** Which cards, and what they cost. */
function Chosen({ items }: { items: readonly StockItem[] }) {
  const others = items.slice(items.length > MAX_NAMED ? MAX_NAMED - 1 : MAX_NAMED)
  return (
    <ul className="divide-y divide-line border-line border-y text-sm *:flex *:flex-wrap *:justify-between *:gap-x-4 *:py-1.5">
      {items.slice(0, items.length - others.length).map(({ id, brandName, cardNumber, username, cost }) => (
        <li key={id}>
          <span>
            {brandName} <span className="whitespace-nowrap font-mono">{onOneLine(cardNumber)}</span>{' '}
            <span className="text-soft">from {username}</span>
          </span>
          <span className="figures">{inDollars(cost)} cost</span>
        </li>
      ))}
      {others.length > 0 && (
        <li>
          <span>{others.length.toLocaleString('en-US')} more</span>
          <span className="figures">{toDollars(costOf(others))} cost</span>
        </li>
      )}
    </ul>
  )
}

/** So that a typing error is noticed before it is in the ledger. */
function Margin({ items, proceeds }: { items: readonly StockItem[]; proceeds: string }) {
  const each = parseDollars(proceeds)
  if (each === undefined) return null
  const margin = each * items.length - costOf(items)
  return (
    <span className="figures">
      {items.length > 1 && `Together ${toDollars(each * items.length)}. `}
      <span className={cx(margin < 0 && 'font-semibold text-caution')}>
        {margin < 0 ? `A loss of ${toDollars(-margin)}` : `A margin of ${toDollars(margin)}`}
      </span>
    </span>
  )
}

function Debt({ items }: { items: readonly StockItem[] }) {
  const cost = costOf(items)
  const sellers = new Set(items.map(({ sellerId }) => sellerId)).size
  return (
    <Notice
      tone="caution"
      title={`${sellers === 1 ? 'The seller owes' : 'The sellers owe'} us ${toDollars(cost)}`}
    >
      That is what {items.length === 1 ? 'the card' : 'the cards'} cost. If the shop is set up for it, it is
      deducted from their next payouts. You can write it off, or cancel it by putting{' '}
      {items.length === 1 ? 'the card' : 'the cards'} back in stock.
    </Notice>
  )
}

interface RefusedProps {
  refused: Answer<typeof routes.changeStocks>['refused']
  items: readonly StockItem[]
  onClose: () => void
}

function Refused({ refused, items, onClose }: RefusedProps) {
  return (
    <div className="grid gap-4">
      <Notice tone="negative" title={`${cards(refused.length)} not changed`} urgent>
        <ul className="grid gap-1">
          {refused.map(({ id, message }) => {
            const item = items.find((one) => one.id === id)
            return (
              <li key={id}>
                {item?.brandName} {item?.cardNumber}: {message}
              </li>
            )
          })}
        </ul>
      </Notice>
      <div>
        <Button variant="secondary" onClick={onClose}>
          Close
        </Button>
      </div>
    </div>
  )
}
