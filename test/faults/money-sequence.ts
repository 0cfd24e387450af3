import { randomBytes } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { stockStates } from '#domain/inventory.ts'
import { shareOf, toDecimal } from '#domain/money.ts'
import type { BatchState, PayoutState } from '#domain/payout.ts'
import { referenceOf } from '#domain/reference.ts'
import { moves, movesFrom, type Status, statuses, UNDO_SECONDS } from '#domain/submission.ts'
import type { Context } from '#server/context.ts'
import { changeItem, writeOff } from '#server/features/inventory/actions.ts'
import { markPaid, markReturned, voidPayout } from '#server/features/payouts/actions.ts'
import { createBatch, freezeBatch, releaseBatch, voidBatch } from '#server/features/payouts/batches.ts'
import { confirmBatch, confirmPayouts } from '#server/features/payouts/confirm.ts'
import { exportBatch } from '#server/features/payouts/export.ts'
import { traceNumberOf } from '#server/features/payouts/files/nacha.ts'
import { paypalIdOf } from '#server/features/payouts/files/paypal.ts'
import { confirmRejection, reportRejection } from '#server/features/payouts/reject.ts'
import { importResults } from '#server/features/payouts/returns/import.ts'
import { settleBatch } from '#server/features/payouts/settle.ts'
import { applyStatement } from '#server/features/payouts/statements/import.ts'
import { undoMove } from '#server/features/submissions/desk/undo.ts'
import { allowedMove, makeMove } from '#server/features/submissions/move.ts'
import { lockCard } from '#server/features/submissions/queries.ts'
import { dataKeyContext, sealSecrets } from '#server/features/submissions/secrets.ts'
import { changePayoutAccount } from '#server/features/submissions/selling/payout-account.ts'
import type { Seller, Staff } from '#server/http/actor.ts'
import { Refusal } from '#server/http/refusal.ts'
import { giftCards, payoutBatches, payouts, transactions, users } from '#server/platform/database/schema.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { newDataKey, wrapKey } from '#server/platform/vault/seal.ts'
import { testBank } from '#test/nacha/bank.ts'
import { nachaReturns } from '#test/nacha/returns.ts'
import type { Random } from '#test/random.ts'
import { textOf } from './load.ts'

/** What the books say about one submission. */
interface Card extends Record<string, unknown> {
  readonly id: string
  readonly status: Status
  readonly version: number
  readonly price: number
  readonly offer: number | null
  readonly cleared: boolean
  readonly payout: {
    id: string
    number: number
    state: PayoutState
    amount: number
    /** The number and the sum of the payment that it is part of. */
    payment: number
    sum: number
    deducted: number
    batch: string | null
    batchState: BatchState | null
  } | null
  readonly item: { state: string; cost: number; proceeds: number | null; writtenOff: number } | null
  /** Cents by account, in the ledger. */
  readonly balances: Readonly<Record<string, number>>
  readonly entries: number
}

const REFERENCE = 'REF-2'

export interface Crew {
  /** A restore exchanges it. */
  context: Context
  readonly staff: readonly Staff[]
}

/** How often two people do the same thing at once. */
const TWICE_SHARE = 0.1
/** How often somebody tries something with a card that may be gone for good. */
const DEAD_SHARE = 0.1

const types = ['paypal', 'bank_transfer'] as const

/** A random sequence of decisions, payouts and sales for one seller with a few cards. */
export class MoneySequence {
  readonly #crew: Crew
  readonly #chance: Random
  readonly #seller: Seller
  readonly #type: (typeof types)[number]
  #context: Context
  /** What was done, for the report of a failure. */
  readonly steps: string[] = []
  /** How often money left for each card without having come back. */
  readonly #sent = new Map<string, number>()
  /** Results of payouts that follow from records about others, so that each is counted once. */
  readonly #followed = new Set<string>()
  /** Of all cards, so that they can be one payment. Undefined if each has its own. */
  readonly #account: ReturnType<MoneySequence['newAccount']> | undefined
  accepted = 0
  refused = 0

  constructor(crew: Crew, chance: Random) {
    this.#crew = crew
    this.#chance = chance
    this.#context = crew.context
    this.#type = chance.pick(types)
    if (chance.chance(0.5)) this.#account = this.newAccount()
    const id = uuidv7()
    this.#seller = { kind: 'seller', id, username: `s${id.slice(-12)}`, locale: 'en', sid: '' }
  }

  async begin(): Promise<void> {
    const { context } = this.#crew
    const { id, username } = this.#seller
    const cards = Array.from({ length: this.#chance.integer(1, 3) }, () => this.#newCard())
    await transaction(context.db, async (tx) => {
      const email = `${username}@example.com`
      const name = { passwordHash: '', firstName: 'Sam', lastName: 'Seller' }
      await tx.insert(users).values({ id, username, email, ...name, verified: true })
      await tx.insert(giftCards).values(cards)
      const amounts = cards.map(({ id: giftCardId, sellingPrice: amount }) => ({
        ...{ id: uuidv7(), giftCardId, sellerId: id },
        ...{ amount, createdAt: new Date() },
      }))
      await tx.insert(transactions).values(amounts)
      await tx.execute(sql`
        insert into status_history (gift_card_id, version, to_status, by_kind, by_id)
        select id, 1, 'pending', 'seller', seller_id from gift_cards where seller_id = ${id}`)
    })
  }

  #newCard() {
    const { keys } = this.#crew.context
    const id = uuidv7()
    const dataKey = newDataKey()
    const denomination = this.#chance.integer(500, 20_000)
    const price = shareOf(denomination, 9_300)
    const secrets = { cardNumber: randomBytes(8).toString('hex'), securityCode: '1234' }
    const account = this.#account ?? this.newAccount()
    const paymentType = this.#type
    return {
      id,
      sellerId: this.#seller.id,
      ...{ brand: 'amazon', brandName: 'Amazon', unlistedBrand: false },
      ...{ denomination, sellingPrice: price, quotedPrice: price, discountPercentage: 700 },
      dataKey: wrapKey(keys, dataKey, dataKeyContext(id)),
      ...sealSecrets(keys, dataKey, id, {
        ...{ ...secrets, paymentType, paymentAccountInfo: account.accountInfo },
        ...{ paymentRoutingNumber: account.routingNumber, paymentAccountNumber: account.accountNumber },
      }),
      ...{ paymentType, paymentAccountName: 'Sam Seller' },
      fingerprint: randomBytes(32),
      ...{ createdAt: new Date(), updatedAt: new Date() },
    }
  }

  /** One that nobody has used. */
  newAccount() {
    const none = { accountInfo: undefined, routingNumber: undefined, accountNumber: undefined }
    return this.#type === 'paypal'
      ? { ...none, accountInfo: `${randomBytes(6).toString('hex')}@example.com` }
      : { ...none, routingNumber: '021000021', accountNumber: this.#chance.digits(12) }
  }

  /** Does up to `count` random things. Throws if a refused one changed something. */
  async run(count: number): Promise<void> {
    let before = await this.read()
    for (let step = 0; step < count; step++) {
      this.#context = this.#netting(this.#chance.chance(0.5))
      const open = before.filter(({ cleared, status }) => !cleared && status !== 'cancelled')
      if (open.length === 0) return
      const card = this.#chance.pick(this.#chance.chance(DEAD_SHARE) ? before : open)
      const [name, act] = this.#chance.weighted(this.#choices(card))
      const attempts = this.#chance.chance(TWICE_SHARE) ? [act(), act()] : [act()]
      const outcomes = await Promise.allSettled(attempts)
      for (const outcome of outcomes) this.#note(name, card, outcome)
      const after = await this.read()
      if (outcomes.every(({ status }) => status === 'rejected')) expectSame(before, after)
      before = after
    }
  }

  #netting(netReceivables: boolean): Context {
    const { context } = this.#crew
    return { ...context, site: { ...context.site, payouts: { ...context.site.payouts, netReceivables } } }
  }

  #note(name: string, { id, status }: Card, outcome: PromiseSettledResult<number>): void {
    if (outcome.status === 'rejected') {
      if (!(outcome.reason instanceof Refusal)) throw outcome.reason
      this.refused += 1
      this.steps.push(`${id.slice(-4)} ${status} ${name}: ${outcome.reason.code}`)
      return
    }
    this.accepted += 1
    this.steps.push(`${id.slice(-4)} ${status} ${name}`)
    const sent = (this.#sent.get(id) ?? 0) + outcome.value
    this.#sent.set(id, sent)
    if (sent < 0 || sent > 1) throw new Error(`Money was sent ${sent} times for ${id}`)
  }

  /** What may be asked for about a card, with weights. Each resolves to how often money left because of it: -1, 0 or 1. */
  #choices(card: Card): [readonly [name: string, act: () => Promise<number>], number][] {
    const { payout, item, status } = card
    const chance = this.#chance
    const staff = chance.pick(this.#crew.staff)
    const any = chance.pick(statuses)
    const state = chance.pick(stockStates)
    const likely = (is: boolean) => (is ? 4 : 0.1)
    const choices: [readonly [string, () => Promise<number>], number][] = [
      [[`move to ${any}`, () => this.#move(card, staff, any)], 0.5],
      [['undo', () => this.#undo(card)], likely(mayBeUndone(status)) / 2],
      [[`item ${state}`, () => this.#moveItem(card, staff, state)], likely(item !== null)],
      [['write off', () => this.#writeOff(card, staff)], likely(item?.state === 'bad')],
    ]
    for (const { to } of movesFrom(status, 'staff')) {
      choices.push([[`move to ${to}`, () => this.#move(card, staff, to)], to === 'under_review' ? 0.5 : 3])
    }
    for (const { to, name } of movesFrom(status, 'seller')) {
      if (name !== 'answer' && name !== 'appeal' && name !== 'change_account')
        choices.push([[name, () => this.#moveOwn(card, to)], name === 'accept' ? 4 : 0.5])
    }
    if (!payout) return choices
    const reported = (context: Context, by: Staff, of: string) =>
      reportRejection(context, by, of, 'Unreadable')
    const { id, batch, batchState } = payout
    const now = payout.state
    const inBatch = (act: (context: Context, staff: Staff, batch: string) => Promise<unknown>) => () =>
      act(this.#context, staff, batch ?? id).then(() => 0)
    choices.push(
      [['paid', () => this.#paid(card, staff)], likely(now === 'exported')],
      [['confirm the batch', () => this.#confirm(card, staff)], likely(batchState === 'exported') / 2],
      [['settle the batch', () => this.#settle(card, staff)], likely(batchState === 'exported') / 2],
      [['report', () => this.#report(card, staff)], likely(now === 'exported' || now === 'paid') / 2],
      [['returned', () => this.#returned(card, staff)], likely(now === 'paid' || now === 'exported') / 2],
      [['void', () => this.#void(id, staff, 'Stolen card')], 0.3],
      [['void for its account', () => this.#void(id, staff, 'payout_account_closed')], 0.6],
      [['new account', () => this.#changeAccount(card)], likely(now === 'returned' || status === 'failed')],
      [['wait a day', () => this.#wait(id)], likely(now === 'due') / 4],
      [['batch', () => this.#batch(staff)], likely(now === 'due')],
      [['freeze', inBatch(freezeBatch)], likely(batchState === 'open')],
      [['release', inBatch(releaseBatch)], likely(batchState === 'frozen')],
      [['export', inBatch(exportBatch)], likely(batchState === 'released')],
      [['report a rejection', inBatch(reported)], likely(batchState === 'exported') / 4],
      [['confirm a rejection', inBatch(confirmRejection)], likely(batchState === 'exported') / 2],
      [['void the batch', inBatch(voidBatch)], likely(batchState !== null) / 8],
    )
    return choices
  }

  async #move({ id, version, status }: Card, staff: Staff, to: Status): Promise<number> {
    const undoable = this.#chance.chance(0.5)
    await transaction(this.#context.db, async (tx) => {
      const card = await lockCard(tx, id)
      if (!card) throw gone()
      const planned = movesFrom(card.status, 'staff').find((move) => move.to === to)
      const { reason, amount } = {
        ...{ reason: undefined, amount: undefined },
        ...(planned && textOf(planned)),
      }
      const cents = amount === undefined ? undefined : 8000
      const move = await allowedMove(tx, card, 'staff', { to, reason, amount: cents, version })
      await makeMove(tx, this.#context, card, staff, move, {
        text: reason,
        amount: cents,
        ...(undoable && move.undoable && { mailAfter: UNDO_SECONDS }),
      })
    })
    return Number(to === 'completed') - Number(status === 'completed')
  }

  async #moveOwn({ id, offer }: Card, to: Status): Promise<number> {
    await transaction(this.#context.db, async (tx) => {
      const card = await lockCard(tx, id, this.#seller.id)
      if (!card) throw gone()
      const move = await allowedMove(tx, card, 'seller', { to, amount: offer ?? undefined })
      await makeMove(tx, this.#context, card, this.#seller, move)
    })
    return 0
  }

  async #undo({ id, version, status }: Card): Promise<number> {
    const { rows } = await this.#context.db.execute<{ by: string; from: Status }>(sql`
      select by_id as by, from_status as from from status_history where gift_card_id = ${id} and version = ${version}`)
    const staff = this.#crew.staff.find((person) => person.id === rows[0]?.by) ?? this.#crew.staff[0]
    if (!staff) throw new Error('There is no staff')
    await undoMove(this.#context, staff, id, version)
    return Number(rows[0]?.from === 'completed') - Number(status === 'completed')
  }

  #paid(card: Card, staff: Staff): Promise<number> {
    return this.#withOthers(card, async () => {
      await markPaid(this.#context, staff, card.payout?.id ?? '', { reference: 'REF-1' })
      return 1
    })
  }

  #returned(card: Card, staff: Staff): Promise<number> {
    return this.#withOthers(card, async () => {
      await markReturned(this.#context, staff, card.payout?.id ?? '', 'The account is closed')
      return card.payout?.state === 'paid' ? -1 : 0
    })
  }

  /** Counts what happened to the seller's other cards meanwhile, such as those in the same payment. */
  async #withOthers(card: Card, act: () => Promise<number>): Promise<number> {
    const before = await this.read()
    const sent = await act()
    for (const [index, { id, payout }] of (await this.read()).entries()) {
      const earlier = before[index]?.payout
      if (id === card.id || !payout || payout.id !== earlier?.id) continue
      const change = Number(payout.state === 'paid') - Number(earlier.state === 'paid')
      const key = `${payout.id} ${payout.state}`
      if (change === 0 || this.#followed.has(key)) continue
      this.#followed.add(key)
      this.#sent.set(id, (this.#sent.get(id) ?? 0) + change)
    }
    return sent
  }

  #confirm(card: Card, staff: Staff): Promise<number> {
    return this.#endBatch(card, (batchId) => confirmBatch(this.#context, staff, batchId, REFERENCE), staff)
  }

  /** Settles the batch with a fee, by hand or by a statement. */
  #settle(card: Card, staff: Staff): Promise<number> {
    const fee = this.#chance.integer(1, 500)
    const byHand = this.#type !== 'bank_transfer' || this.#chance.chance(0.5)
    const settle = async (batchId: string) => {
      if (byHand) return settleBatch(this.#context, staff, batchId, { reference: REFERENCE, fee })
      const [batch] = await this.#context.db
        .select({ total: payoutBatches.total })
        .from(payoutBatches)
        .where(eq(payoutBatches.id, batchId))
      if (!batch) throw gone()
      const day = new Date().toISOString().slice(0, 10)
      const row = (cents: number) => `${day},PAYOUT ${batchId},${toDecimal(-cents)}`
      const file = ['Date,Description,Amount', row(batch.total), row(fee)].join('\n')
      return applyStatement(this.#context, staff, file, [
        { line: 2, kind: 'batch', batchId },
        { line: 3, kind: 'fee' },
      ])
    }
    return this.#endBatch(card, settle, staff)
  }

  /** Does what records every payout of the batch as paid, and then its job. */
  #endBatch(card: Card, end: (batchId: string) => Promise<unknown>, { id }: Staff): Promise<number> {
    const batchId = card.payout?.batch ?? card.id
    return this.#withOthers(card, async () => {
      await end(batchId)
      await confirmPayouts(this.#context, { batchId, administratorId: id, reference: REFERENCE, after: 0 })
      const now = (await this.read()).find((other) => other.id === card.id)?.payout
      const key = `${card.payout?.id} confirmed`
      if (now?.state !== 'paid' || card.payout?.state !== 'exported' || this.#followed.has(key)) return 0
      this.#followed.add(key)
      return 1
    })
  }

  /** Imports a file with the result of the payment. */
  #report(card: Card, staff: Staff): Promise<number> {
    const { id, payout } = card
    if (!payout) throw new Error(`${id} has no payout`)
    const isPaid = this.#type === 'paypal' && payout.state === 'exported' && this.#chance.chance(0.5)
    return this.#withOthers(card, async () => {
      const file = await this.#fileAbout(payout, isPaid)
      const { matched } = await importResults(this.#context, staff, file)
      if (matched === 0) return 0
      if (isPaid) return 1
      return payout.state === 'paid' ? -1 : 0
    })
  }

  /** What the bank or PayPal says about the payment. It names the first card of it. */
  async #fileAbout({ payment, sum }: NonNullable<Card['payout']>, isPaid: boolean): Promise<string> {
    if (this.#type === 'bank_transfer') {
      const first = (await this.read()).find(({ payout }) => payout?.number === payment)
      const reference = first ? referenceOf(first.id) : ''
      const entry = { trace: traceNumberOf(payment, testBank), reference, cents: sum }
      return nachaReturns([{ ...entry, name: 'SAM SELLER', code: 'R03' }])
    }
    const row = [`T${payment}`, toDecimal(sum), paypalIdOf(payment), isPaid ? 'Success' : 'Returned']
    return `Transaction ID,Amount,Unique ID,Status\r\n${row.join(',')}`
  }

  async #void(payoutId: string, staff: Staff, reason: string): Promise<number> {
    await voidPayout(this.#context, staff, payoutId, reason)
    return 0
  }

  async #changeAccount({ id }: Card): Promise<number> {
    const account = { type: this.#type, accountName: 'Sam Seller', ...this.newAccount() }
    await changePayoutAccount(this.#context, this.#seller, id, { ...account, paymentMethodId: undefined })
    return 0
  }

  async #wait(payoutId: string): Promise<number> {
    await this.#context.db
      .update(payouts)
      .set({ batchableAt: sql`least(batchable_at, now())` })
      .where(eq(payouts.id, payoutId))
    return 0
  }

  async #batch(staff: Staff): Promise<number> {
    const due = (await this.read()).flatMap(({ payout }) => (payout?.state === 'due' ? [payout.id] : []))
    const onePerSeller = this.#account !== undefined
    await createBatch(this.#context, staff, { paymentType: [this.#type], payoutIds: due, onePerSeller })
    return 0
  }

  async #moveItem({ id }: Card, staff: Staff, state: (typeof stockStates)[number]): Promise<number> {
    const sale = state === 'sold' ? { proceeds: this.#chance.integer(0, 20_000) } : {}
    await changeItem(this.#context, staff, id, { state, channel: undefined, ...sale })
    return 0
  }

  async #writeOff({ id, item }: Card, staff: Staff): Promise<number> {
    const part = this.#chance.chance(0.5) ? undefined : this.#chance.integer(1, item?.cost ?? 1)
    await writeOff(this.#context, staff, id, part)
    return 0
  }

  /**
   * Records what was sent and what came back since the backup that was restored, as the statements say, which know how often
   * money was sent for each card.
   */
  async reconcile(): Promise<void> {
    this.#context = this.#crew.context
    // The restored payouts can be paid and come back again.
    this.#followed.clear()
    const [staff] = this.#crew.staff
    if (!staff) throw new Error('There is no staff')
    for (const { id } of await this.read()) {
      for (let step = 0; ; step++) {
        const card = (await this.read()).find((other) => other.id === id)
        if (!card) throw new Error(`${id} is gone`)
        const isPaid = card.payout?.state === 'paid'
        if (isPaid === (this.#sent.get(id) === 1)) break
        if (step > 6) throw new Error(`${id} cannot be reconciled: ${JSON.stringify(card)}`)
        this.steps.push(`${id.slice(-4)} ${card.status} ${card.payout?.state} reconciled`)
        if (isPaid) await this.#returned(card, staff)
        else await this.#recordSent(card, staff)
      }
    }
  }

  /** One step towards a card that was paid. */
  async #recordSent(card: Card, staff: Staff): Promise<void> {
    const { payout, status } = card
    if (payout?.state === 'batched' || payout?.state === 'released') {
      await voidBatch(this.#context, staff, payout.batch ?? '')
    } else if (payout?.state === 'due' || payout?.state === 'exported') {
      await markPaid(this.#context, staff, payout.id, { reference: 'STATEMENT-1' })
    } else if (status === 'offered') {
      await this.#moveOwn(card, 'processing')
    } else if (payout?.state === 'returned' && status === 'processing') {
      await this.#changeAccount(card)
    } else {
      await this.#move(card, staff, status === 'under_review' ? 'pending' : 'processing')
    }
  }

  /** The cards with their payouts, items and balances. */
  async read(): Promise<Card[]> {
    const { rows } = await this.#crew.context.db.execute<Card>(sql`
      select gift_cards.id, status, version, selling_price::int as price, offer_amount::int as offer,
        cleared_at is not null as cleared,
        (select json_build_object('id', id, 'number', number, 'payment', coalesce(entry_number, number),
            'sum', coalesce(entry_total, amount), 'state', state, 'amount', amount, 'deducted', deducted,
            'batch', batch_id, 'batchState', (select state from payout_batches where payout_batches.id = batch_id))
          from payouts where gift_card_id = gift_cards.id and (state <> 'void' or not by_hand)
          order by number desc limit 1) as payout,
        (select json_build_object('state', state, 'cost', cost, 'proceeds', proceeds, 'writtenOff', written_off)
          from inventory where gift_card_id = gift_cards.id) as item,
        (select coalesce(json_object_agg(account, amount order by account), '{}') from (
          select account, sum(amount)::int as amount from ledger_lines join ledger_entries on ledger_entries.id = entry_id
          where gift_card_id = gift_cards.id group by account having sum(amount) <> 0
        ) as sums) as balances,
        (select count(*)::int from ledger_entries where gift_card_id = gift_cards.id) as entries
      from gift_cards where seller_id = ${this.#seller.id} order by id`)
    return rows
  }

  /** Throws unless every card is worth in each account what it should be, and was paid as often as money was sent. */
  async check(): Promise<void> {
    for (const card of await this.read()) {
      const [expected, found] = [inOrder(this.#expected(card)), inOrder(card.balances)]
      if (JSON.stringify(found) !== JSON.stringify(expected)) {
        throw new Error(`${JSON.stringify(card)}: expected ${JSON.stringify(expected)}`)
      }
      const sent = this.#sent.get(card.id) ?? 0
      if (sent !== Number(card.payout?.state === 'paid')) throw new Error(`${card.id} was paid ${sent} times`)
    }
  }

  /** What a card is worth in each account. A card that is not approved is worth nothing. */
  #expected({ status, cleared, price, payout, item }: Card): Record<string, number> {
    if (cleared || (status !== 'processing' && status !== 'completed')) return {}
    const { state = '', amount = 0, deducted = 0 } = payout ?? {}
    const { id } = this.#seller
    const receivable = (item?.state === 'bad' ? price - item.writtenOff : 0) - deducted
    return {
      [payout && state === 'paid' ? `cash:${this.#type}` : 'payouts_payable']: -amount,
      [`receivable:${id}`]: receivable,
      losses: item?.writtenOff ?? 0,
      incoming: item ? 0 : price,
      stock: item?.state === 'in_stock' || item?.state === 'listed' ? price : 0,
      cards_used: item?.state === 'used' ? price : 0,
      cost_of_sales: item?.state === 'sold' ? price : 0,
      'cash:sales': item?.proceeds ?? 0,
      proceeds: -(item?.proceeds ?? 0),
    }
  }
}

function expectSame(before: readonly Card[], after: readonly Card[]): void {
  if (JSON.stringify(before) !== JSON.stringify(after)) throw new Error('A refused step changed something')
}

/** Whether staff may have made an undoable move to the status. */
const mayBeUndone = (status: Status) => moves.some(({ to, undoable }) => to === status && undoable)

const gone = () => new Refusal('not_found', 'refusals.not_found')

/** The accounts that are not even, by name. */
function inOrder(balances: Readonly<Record<string, number>>): [string, number][] {
  return Object.entries(balances)
    .filter(([, amount]) => amount !== 0)
    .sort(([one], [other]) => (one < other ? -1 : 1))
}
