import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { HOME_ROWS } from '#contract/home.ts'
import { createTestApp, type TestApp } from '#test/app.ts'
import { cardColumns } from '#test/card-columns.ts'
import { sendMails } from '#test/mails.ts'
import { exportedBatch, payoutPaid, payoutReturned } from '#test/payouts.ts'
import { accepted, type Person } from '#test/person.ts'
import { explain } from '#test/plans.ts'
import { balanceService, workOnBalances } from '#test/policies.ts'
import { moveAnyway, submitted, submittedIn } from '#test/submissions.ts'
import { readHome } from './home.ts'

let server: TestApp
let staff: Person
beforeAll(async () => {
  server = await createTestApp({ site: { webhooksAllowPrivate: true } })
  staff = await server.staff()
})

const homeOf = async (seller: Person) => (await seller.get('/api/user/home')).json
const idsOf = ({ cards }: { cards: { id: string }[] }) => cards.map(({ id }) => id)
const nothing = {
  needsYou: { count: 0, cards: [] },
  underWay: { count: 0, amount: '0.00', cards: [] },
  toReceive: {
    approved: '0.00',
    inReview: { count: 0, amount: '0.00', lower: 0 },
    asked: { count: 0, amount: '0.00' },
    offers: 0,
  },
  rejected: { count: 0, cards: [] },
  paid: { count: 0, amount: '0.00', cards: [] },
  bouncedEmail: null,
  taxDetailsNeeded: false,
}

describe("a seller's home", () => {
  it('sorts every card by what it means to the seller, with sums, and shows nothing of others', async () => {
    const seller = await server.seller()
    expect(await homeOf(seller)).toEqual(nothing)
    const cardIn = (...[status]: [Parameters<typeof submittedIn>[0]]) =>
      submittedIn(status, { seller, staff })
    const pending = await cardIn('pending')
    const asked = await cardIn('under_review')
    const offered = await cardIn('offered')
    const due = await cardIn('processing')
    const returned = await cardIn('completed')
    const paid = await cardIn('completed')
    const rejected = await cardIn('rejected')
    const failed = await cardIn('failed')
    await cardIn('cancelled')
    await payoutReturned(server, returned)
    const home = await homeOf(seller)
    expect(idsOf(home.needsYou)).toEqual([offered, asked, failed, returned])
    expect(idsOf(home.underWay)).toEqual([due, pending])
    expect(idsOf(home.rejected)).toEqual([rejected])
    expect(idsOf(home.paid)).toEqual([paid])
    expect(home).toMatchObject({
      needsYou: {
        count: 4,
        cards: [
          { offer: { amount: '74.40' } },
          { statusReason: 'Which shop?' },
          { status: 'failed', statusReason: 'Refused by the bank' },
          { payout: { needsAccount: true } },
        ],
      },
      underWay: { count: 2, amount: '186.00' },
      // The payout that came back is still the seller's. The card with a question is not in review.
      toReceive: {
        approved: '186.00',
        inReview: { count: 1, amount: '93.00', lower: 0 },
        asked: { count: 1, amount: '93.00' },
        offers: 1,
      },
      paid: {
        count: 1,
        amount: '93.00',
        cards: [{ payout: { state: 'paid', reference: expect.any(String) } }],
      },
    })
    expect(await homeOf(await server.seller())).toEqual(nothing)
  })

  it('asks about a failed payout unless the card was at fault or it is erased, and counts what is safe', async () => {
    const seller = await server.seller()
    const fail = async (reason: string) => {
      // Each to its own account, because some reasons make it dead.
      const account = { paymentAccountInfo: `s${randomUUID()}@example.com` }
      const id = await submittedIn('processing', { seller, staff }, account)
      await accepted(moveAnyway(staff, id, { status: 'failed', reason }))
      return id
    }
    await fail('usage_redeemed')
    const erased = await fail('payout_account_closed')
    const [closed, name, own] = [
      await fail('payout_account_closed'),
      await fail('usage_payout_name'),
      await fail('Nobody there'),
    ]
    await server.pool.query(
      'update gift_cards set secrets_erased_at = now(), data_key = null where id = $1',
      [erased],
    )
    const { needsYou, toReceive } = await homeOf(seller)
    expect([needsYou.count, ...idsOf(needsYou)]).toEqual([3, closed, name, own])
    const asks = needsYou.cards.map(({ payout }: { payout: unknown }) => payout)
    expect(asks).toMatchObject([{ needsAccount: true }, { needsAccount: true }, null])
    // Leaves out the card with a reason that staff wrote: it may be stolen.
    expect(toReceive.approved).toBe('186.00')
    await accepted(moveAnyway(staff, closed, { status: 'processing' }))
    expect(idsOf((await homeOf(seller)).needsYou)).toEqual([name, own])
  })

  it('follows a payout that came back and was sent again to another account', async () => {
    const seller = await server.seller()
    const id = await submittedIn('completed', { seller, staff })
    await payoutReturned(server, id)
    expect((await homeOf(seller)).needsYou.count).toBe(1)
    const account = { type: 'paypal', accountName: 'Sally Seller', accountInfo: 'other@example.com' }
    expect((await seller.post(`/api/user/gift-cards/${id}/payout-account`, account)).status).toBe(200)
    expect(await homeOf(seller)).toMatchObject({
      needsYou: { count: 0 },
      underWay: { count: 1, amount: '93.00' },
    })
    await exportedBatch(server, [id])
    await payoutPaid(server, id, '8F2K')
    expect(await homeOf(seller)).toMatchObject({
      underWay: { count: 0 },
      paid: { count: 1, amount: '93.00', cards: [{ payout: { reference: '8F2K' } }] },
    })
  })

  it('drops a rejected card that was submitted again, cleared, or rejected too long ago', async () => {
    const seller = await server.seller()
    const scene = { seller, staff }
    const [again, old, cleared] = [
      await submittedIn('rejected', scene),
      await submittedIn('rejected', scene),
      await submittedIn('rejected', scene),
    ]
    expect((await homeOf(seller)).rejected.count).toBe(3)
    await submittedIn('pending', scene, { resubmissionOf: again })
    await server.pool.query("update gift_cards set updated_at = now() - interval '15 days' where id = $1", [
      old,
    ])
    await server.pool.query('update gift_cards set cleared_at = now() where id = $1', [cleared])
    expect((await homeOf(seller)).rejected).toEqual({ count: 0, cards: [] })
  })

  it('promises no quote for a card with a lower balance, as the receipts do, and then what was accepted', async () => {
    const seller = await server.seller()
    const service = await balanceService(staff)
    service.answer = { json: '{"status":"ok","amount":"50.00"}' }
    const saleId = randomUUID()
    const id = await submitted(seller, { saleId })
    await submitted(seller, { saleId, brand: 'steam', denomination: '50', sellingPrice: '44.00' })
    const alone = await submitted(seller)
    await workOnBalances(server)
    expect(await homeOf(seller)).toMatchObject({
      toReceive: { inReview: { count: 3, amount: '44.00', lower: 2 } },
    })
    await staff.delete('/api/admin/balance-connectors/amazon')
    await server.pool.query("update jobs set run_at = now() where kind = 'saleReceipt'")
    const mails = (await sendMails(server)).filter(({ to }) => to === seller.email)
    const receipt = mails.find(({ subject }) => subject === 'We received your Amazon card')
    expect(receipt?.text).toContain(
      'Your quote is $93.00. We found a balance of $50.00; a person will check it and may offer another price.',
    )
    expect(receipt?.text).toContain('Your quote: $93.00\n')
    expect(receipt?.text).not.toContain('You receive')
    const ofSale = mails.find(({ subject }) => subject === 'We received your 2 gift cards')
    expect(ofSale?.text).toContain('but we found less than you entered on one of the cards.')
    expect(ofSale?.text).toMatch(
      /Amazon •••• 5678, \$100\.00 \(.{9}\): Quote \$93\.00, balance \$50\.00\nSteam •••• 5678, \$50\.00 \(.{9}\): \$44\.00\n/,
    )
    expect(ofSale?.text).not.toContain('You receive')
    expect(ofSale?.text).toContain('Your quote: $137.00')
    for (const card of [id, alone]) {
      await accepted(moveAnyway(staff, card, { status: 'offered', amount: '46.50', reason: 'It holds $50' }))
      await accepted(seller.post(`/api/user/gift-cards/${card}/accept`, { amount: '46.50' }))
    }
    await accepted(moveAnyway(staff, id, { status: 'completed' }))
    expect(await homeOf(seller)).toMatchObject({
      toReceive: { approved: '46.50', inReview: { count: 1, amount: '44.00', lower: 0 } },
      paid: { amount: '46.50' },
    })
    // The other card of the sale may be paid within a minute.
    await server.pool.query("update jobs set run_at = now() where kind = 'statusMail'")
    const paid = (await sendMails(server)).find(({ subject }) => subject.startsWith('Paid'))
    expect(paid?.text).toContain('You received: $46.50')
    expect(paid?.text).not.toContain('93.00')
  })

  it('shows the offer that ends first at the top', async () => {
    const seller = await server.seller()
    const [first, second] = [
      await submittedIn('offered', { seller, staff }),
      await submittedIn('offered', { seller, staff }),
    ]
    await moveAnyway(staff, first, { status: 'pending' })
    await moveAnyway(staff, first, { status: 'offered', amount: '70', reason: 'It holds $75' })
    expect(idsOf((await homeOf(seller)).needsYou)).toEqual([second, first])
  })

  it('reads few rows of 10,000 cards, counts them all and lists few', async () => {
    const seller = await server.seller()
    const scene = { seller, staff }
    const completed = await submittedIn('completed', scene)
    for (const status of ['under_review', 'pending', 'rejected'] as const) await submittedIn(status, scene)
    await server.pool.query(
      'alter table gift_cards disable trigger user; alter table payouts disable trigger user',
    )
    // Lateral, or PostgreSQL makes the record again for each of its columns.
    const copies = `insert into gift_cards (${cardColumns}) select ${cardColumns} from (select copy.* from gift_cards card, generate_series(1, $2) n,
      lateral jsonb_populate_record(card, jsonb_build_object('id', gen_random_uuid(), 'idempotency_key', null, 'n', n)) copy
      where card.seller_id = $1 and card.status = $3) as copies`
    await server.pool.query(copies, [seller.id, 10_000, 'completed'])
    await server.pool.query(copies, [seller.id, 30, 'under_review'])
    await server.pool.query(copies, [seller.id, 30, 'pending'])
    await server.pool.query(copies, [seller.id, 30, 'rejected'])
    await server.pool.query(
      `insert into payouts (id, gift_card_id, seller_id, amount, payment_type, account_hint, state, sent_at, paid_at)
       select gen_random_uuid(), id, seller_id, 9300, 'paypal', 's***', 'paid', now(), now()
       from gift_cards where seller_id = $1 and status = 'completed' and id <> $2`,
      [seller.id, completed],
    )
    await server.pool.query(
      'alter table gift_cards enable trigger user; alter table payouts enable trigger user',
    )
    await server.pool.query('vacuum analyze gift_cards, payouts, status_history')
    const home = await homeOf(seller)
    expect(home.needsYou).toMatchObject({ count: 31, cards: { length: HOME_ROWS.needsYou } })
    expect(home.underWay).toMatchObject({
      count: 31,
      amount: '2883.00',
      cards: { length: HOME_ROWS.underWay },
    })
    expect(home.rejected).toMatchObject({ count: 31, cards: { length: HOME_ROWS.rejected } })
    expect(home.paid).toMatchObject({ count: 10_001, amount: '930093.00', cards: { length: HOME_ROWS.paid } })

    const me = { id: seller.id, locale: 'en' } as Parameters<typeof readHome>[1]
    const statements = await explain(server.pool, (db) => readHome(server.context, me, db))
    expect(statements.flatMap(({ scanned }) => scanned)).toEqual([])
    const [waiting, underWay, rejected, paid, toReceive, cards] = statements
    for (const { visited, text } of [waiting, underWay, rejected, toReceive, cards] as typeof statements) {
      expect(visited, text).toBeLessThan(500)
    }
    // One entry of the index per payout, and no page of the table for the sum.
    expect(paid?.indexes).toEqual(['payouts_seller_paid'])
    expect(paid?.pages).toBeLessThan(200)
  })
})
