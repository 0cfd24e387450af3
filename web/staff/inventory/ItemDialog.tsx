import { useQueryClient } from '@tanstack/react-query'
import { type StockItem, writeOff } from '#contract/inventory.ts'
import { routes } from '#contract/routes.ts'
import { type StockState, stockMoves } from '#domain/inventory.ts'
import { inDollars, parseDollars, toDecimal } from '#domain/money.ts'
import { may } from '#domain/roles.ts'
import { dayIn } from '#domain/shop-time.ts'
import { toastUnlessAtField, useCallForm } from '#web/forms/use-call-form.ts'
import { Button, TextLink } from '#web/kit/Button.tsx'
import { cx } from '#web/kit/cx.ts'
import { Dialog, useLast } from '#web/kit/Dialog.tsx'
import { Form } from '#web/kit/Form.tsx'
import { Money } from '#web/kit/Money.tsx'
import { TextField } from '#web/kit/TextField.tsx'
import { Time } from '#web/kit/Time.tsx'
import { toast } from '#web/kit/toast.ts'
import { call } from '#web/wire/call.ts'
import { refresh } from '#web/wire/read.ts'
import { pathTo } from '#web/words/paths.ts'
import { Fact, Facts } from '../facts/Facts.tsx'
import { stockWords } from '../facts/stock-words.ts'
import { useStaff } from '../shell/use-staff.ts'
import { StockBadge } from './stock-columns.tsx'

interface ItemDialogProps {
  item: StockItem | undefined
  onClose: () => void
  onChange: (to: StockState, item: StockItem) => void
}

/** Everything about one card of the inventory, and what can be done with it. */
export function ItemDialog({ item, onClose, onChange }: ItemDialogProps) {
  const { role } = useStaff().admin
  const shown = useLast(item)
  if (!shown) return null
  const rest = centsOf(shown.cost) - centsOf(shown.writtenOff)
  return (
    <Dialog
      open={item !== undefined}
      onOpenChange={(next) => next || onClose()}
      title={`${shown.brandName} ${inDollars(shown.denomination)}`}
      description={shown.cardNumber}
    >
      <ItemFacts item={shown} />
      {may(role, 'manage_inventory') && shown.state === 'bad' && rest > 0 && (
        <WriteOff key={rest} item={shown} rest={toDecimal(rest)} />
      )}
      {may(role, 'manage_inventory') && (
        <footer className="flex flex-col gap-2 pt-1 md:flex-row md:flex-wrap md:justify-end">
          {stockMoves[shown.state].map((to) => (
            <Button
              key={to}
              variant="secondary"
              size="sm"
              // Away from the others: at the end of a phone, and on the other side of a wide screen.
              className={cx('whitespace-nowrap', to === 'bad' && 'text-negative md:order-first md:mr-auto')}
              onClick={() => onChange(to, shown)}
            >
              {stockWords[to].action}
            </Button>
          ))}
        </footer>
      )}
    </Dialog>
  )
}

const centsOf = (amount: string) => parseDollars(amount) ?? 0

function ItemFacts({ item }: { item: StockItem }) {
  const { role, timeZone } = useStaff().admin
  const mayReadAudit = may(role, 'read_audit_log')
  const soldOn = item.soldAt && dayIn(timeZone, new Date(item.soldAt))
  return (
    <Facts
      title="Card"
      action={
        <span className="flex gap-4 text-sm">
          {mayReadAudit && <TextLink to={pathTo('adminAudit', { subject: item.id })}>Audit log</TextLink>}
          <TextLink to={pathTo('admin', { id: item.id })}>Submission</TextLink>
        </span>
      }
    >
      <Fact name="State">
        <StockBadge state={item.state} />
      </Fact>
      <Fact name="Seller">
        <TextLink to={pathTo('adminSeller', { id: item.sellerId })}>{item.username}</TextLink>
      </Fact>
      <Fact name="Cost">
        <Money amount={item.cost} />
      </Fact>
      {item.channel && <Fact name="Channel">{item.channel}</Fact>}
      {item.proceeds && (
        <Fact name="Proceeds">
          <Money amount={item.proceeds} /> (
          <Money amount={toDecimal(centsOf(item.proceeds) - centsOf(item.cost))} /> margin)
        </Fact>
      )}
      {soldOn && (
        <Fact name="Sold">
          <Time at={soldOn} />
          {item.bookedOn && item.bookedOn !== soldOn && (
            <>
              , in the books on <Time at={item.bookedOn} />
            </>
          )}
        </Fact>
      )}
      {item.state === 'bad' && (
        <Fact name="Written off">
          <Money amount={item.writtenOff} />
        </Fact>
      )}
      <Fact name="In stock since">
        <Time at={item.enteredAt} as="dateTime" />
      </Fact>
      {item.leftAt && (
        <Fact name="Left the stock">
          <Time at={item.leftAt} as="dateTime" />
        </Fact>
      )}
      {item.secretsErasedAt && (
        <Fact name="Number erased">
          <Time at={item.secretsErasedAt} as="dateTime" />
        </Fact>
      )}
    </Facts>
  )
}

/** A blank amount would write everything off. */
const schema = writeOff.required()

/** Gives up what the seller owes for a bad card. */
function WriteOff({ item, rest }: { item: StockItem; rest: string }) {
  const client = useQueryClient()
  const { sending, submit, field } = useCallForm({
    schema,
    start: { amount: rest },
    send: (_, body) => call(routes.writeOff, { params: { id: item.id }, body }),
    onDone: ({ writtenOff }) => {
      toast({ title: 'Written Off', description: `${inDollars(writtenOff)} in all for this card` })
      void refresh(client, routes.inventory, routes.auditLog)
    },
    failed: toastUnlessAtField('Not Written Off', 'The debt could not be written off.'),
  })
  return (
    <Form onSubmit={submit}>
      <TextField
        label="Write off"
        prefix="$"
        inputMode="decimal"
        autoComplete="off"
        hint="The seller will no longer owe this amount"
        {...field('amount')}
      />
      <div>
        <Button type="submit" variant="secondary" loading={sending.isPending}>
          Write off
        </Button>
      </div>
    </Form>
  )
}
