import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { referenceOf } from '#domain/reference.ts'
import { MAX_SALE_CARDS } from '#domain/submission-form.ts'
import type { Mail } from '#server/platform/mail/mailer.ts'
import { createTestApp, type TestApp } from '#test/app.ts'
import { confirmEmail, sendMails } from '#test/mails.ts'
import { accepted, linked, type Person } from '#test/person.ts'
import { explain } from '#test/plans.ts'
import { balanceService } from '#test/policies.ts'
import { type CardFields, submit, submitted, submittedIn } from '#test/submissions.ts'
import { findStaffCard } from './desk/queries.ts'
import { closeReceipt } from './sales.ts'
import { listSellerCards } from './selling/queries.ts'

let server: TestApp
let seller: Person
let staff: Person
beforeAll(async () => {
  server = await createTestApp({ site: { webhooksAllowPrivate: true } })
  seller = await server.seller()
  staff = await server.staff()
})

/** Submits cards one after the other. Returns their ids. */
async function sell(saleId: string, ...cards: CardFields[]): Promise<string[]> {
  const ids: string[] = []
  for (const card of cards) ids.push(await submitted(seller, { saleId, ...card }))
  return ids
}

const refusedWith = (code: string) => ({ status: 400, json: { errors: [{ path: 'saleId', code }] } })

describe('a sale of several cards', () => {
  const idsAt = async (url: string) => (await seller.get(url)).json.map(({ id }: { id: string }) => id)

  it('is named in answers and filters the list, in the order of submission', async () => {
    const saleId = randomUUID()
    const first = await submit(seller, { saleId })
    expect([first.json.giftCard.saleId, first.json.transaction.saleId]).toEqual([saleId, saleId])
    await submitted(seller)
    const ids = [first.json.giftCard.id, ...(await sell(saleId, {}, {}))]
    const list = `/api/user/gift-cards?saleId=${saleId}`
    expect(await idsAt(list)).toEqual(ids)
    const page = await seller.get(`${list}&limit=2`)
    expect([page.json.length, page.headers['x-total-count']]).toEqual([2, '3'])
    expect(await idsAt(linked(page))).toEqual(ids.slice(2))
    await seller.post(`/api/user/gift-cards/${ids[0]}/withdraw`)
    expect(await idsAt(`${list}&open=true`)).toEqual(ids.slice(1))
    const [transaction] = (await seller.get('/api/my-transactions?limit=1')).json
    expect(transaction.saleId).toBe(saleId)
    const single = await seller.get(`/api/user/gift-cards/${await submitted(seller)}`)
    expect(single.json.saleId).toBeNull()
    expect((await (await server.seller()).get(list)).json).toEqual([])
  })

  it('belongs to its seller', async () => {
    const saleId = randomUUID()
    await sell(saleId, {})
    const other = await server.seller()
    const answer = await submit(other, { saleId })
    expect(answer).toMatchObject(refusedWith('sale_unknown'))
    expect(answer.json.message).toBe('This sale cannot be continued. Please start a new one.')
    expect(await submit(seller, { saleId: 'not-an-id' })).toMatchObject(refusedWith('sale_unknown'))
    const rivals = randomUUID()
    const answers = await Promise.all([submit(seller, { saleId: rivals }), submit(other, { saleId: rivals })])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400])
  })

  it('has at most 20 cards, even when more arrive at once', async () => {
    const saleId = randomUUID()
    const answers = await Promise.all(
      Array.from({ length: MAX_SALE_CARDS + 1 }, () => submit(seller, { saleId })),
    )
    const refused = answers.filter(({ status }) => status !== 201)
    expect(refused).toMatchObject([refusedWith('sale_full')])
    expect(refused[0]?.json.message).toBe('A sale has at most 20 cards. Please start a new one.')
    expect(await idsAt(`/api/user/gift-cards?saleId=${saleId}`)).toHaveLength(MAX_SALE_CARDS)
  })

  it('gives the last card its place when the same request is sent twice at once', async () => {
    const saleId = randomUUID()
    await sell(saleId, {})
    await server.pool.query('update sales set cards = $2 where id = $1', [saleId, MAX_SALE_CARDS - 1])
    const key = randomUUID()
    const answers = await Promise.all([
      submit(seller, { saleId }, { key }),
      submit(seller, { saleId }, { key }),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 201])
    expect(answers[0]?.json.giftCard.id).toBe(answers[1]?.json.giftCard.id)
    const [, sent] = (await seller.get(`/api/user/gift-cards?saleId=${saleId}`)).json
    expect([sent.id, sent.idempotencyKey]).toEqual([answers[0]?.json.giftCard.id, key])
    expect((await submit(seller, { saleId, saleCards: '20' }, { key })).status).toBe(200)
    const moved = await submit(seller, { saleId: randomUUID() }, { key })
    expect([moved.status, moved.json.code]).toEqual([409, 'key_reused'])
  })

  it('takes a rejected card that is submitted again', async () => {
    const resubmissionOf = await submittedIn('rejected', { seller, staff })
    const saleId = randomUUID()
    await sell(saleId, {}, { resubmissionOf })
    expect(await idsAt(`/api/user/gift-cards?saleId=${saleId}`)).toHaveLength(2)
  })

  it('is stepped through by staff', async () => {
    const saleId = randomUUID()
    const [one, two, three] = await sell(saleId, {}, {}, {})
    const read = async (id = '') => (await staff.get(`/api/admin/submissions/${id}`)).json
    const places = await Promise.all([one, two, three].map(async (id) => (await read(id)).sale))
    expect(places).toEqual([
      { position: 1, count: 3, previousId: null, nextId: two, ids: [one, two, three] },
      { position: 2, count: 3, previousId: one, nextId: three, ids: [one, two, three] },
      { position: 3, count: 3, previousId: two, nextId: null, ids: [one, two, three] },
    ])
    const [listed] = (await staff.get('/api/admin/submissions?limit=1')).json
    expect(listed).toMatchObject({ id: three, saleId, sale: { position: 3, count: 3 } })
    const moved = await staff.patch(`/api/admin/submissions/${two}/status`, { status: 'completed' })
    expect(moved.json.sale.position).toBe(2)
    expect(await read(await submitted(seller))).toMatchObject({ saleId: null, sale: null })
    await staff.delete('/api/admin/submissions')
    expect((await read(two)).sale).toEqual({
      position: 1,
      count: 1,
      previousId: null,
      nextId: null,
      ids: [two],
    })
  })
})

it('is read by its index', async () => {
  const saleId = randomUUID()
  const [id = ''] = await sell(saleId, {}, {})
  const plans = await explain(server.pool, async (db) => {
    await findStaffCard(db, id)
    await listSellerCards(db, { sellerId: seller.id, saleId, limit: 50 })
  })
  expect(plans.map(({ scanned }) => scanned.includes('gift_cards'))).toEqual([false, false])
  for (const { indexes } of plans) expect(indexes).toContain('gift_cards_sale')
})

describe('the receipt of a sale', () => {
  beforeAll(async () => {
    seller = await server.seller()
    await confirmEmail(server, seller)
    await receipts()
  })

  const makeDue = () =>
    server.pool.query("update jobs set run_at = run_at - interval '1 hour' where done_at is null")

  /** The receipts of all cards so far, and other emails. */
  async function receipts(): Promise<Mail[]> {
    await makeDue()
    return sendMails(server)
  }

  it('is one email for all cards, with each quote and the total', async () => {
    const [amazon = '', steam = '', shop = ''] = await sell(
      randomUUID(),
      {},
      { brand: 'steam', denomination: '50', sellingPrice: '44.00' },
      { brand: 'corner_shop', denomination: '10', sellingPrice: '8.50' },
    )
    expect(await sendMails(server)).toEqual([])
    const [mail, ...more] = await receipts()
    expect([mail?.subject, more]).toEqual(['We received your 3 gift cards', []])
    expect(mail?.text).toContain(
      `Amazon •••• 5678, $100.00 (${referenceOf(amazon)}): $93.00\nSteam •••• 5678, $50.00 (${referenceOf(steam)}): $44.00\nCorner Shop •••• 5678, $10.00 (${referenceOf(shop)}): $8.50\nTotal value: 3 cards, $160.00\nYour quote: $145.50`,
    )
    expect(await receipts()).toEqual([])
  })

  it('waits for further cards, and lists those that come later in another one', async () => {
    const saleId = randomUUID()
    await sell(saleId, {})
    await server.pool.query(
      "update jobs set run_at = now() + interval '2 seconds' where kind = 'saleReceipt'",
    )
    await sell(saleId, {})
    const { rows } = await server.pool.query(
      `select run_at > now() + interval '30 seconds' as waits from jobs where kind = 'saleReceipt' and done_at is null`,
    )
    expect(rows).toEqual([{ waits: true }])
    const first = await receipts()
    await sell(saleId, {})
    const second = await receipts()
    await sell(saleId, {}, {}, {})
    const third = await receipts()
    expect([first, second, third].map((mails) => mails.map(({ subject }) => subject))).toEqual([
      ['We received your 2 gift cards'],
      ['We received your Amazon card'],
      ['We received your 3 gift cards'],
    ])
  })

  it('goes out with the last card, if the client says how many there are', async () => {
    const saleId = randomUUID()
    await sell(saleId, { saleCards: '2' })
    expect(await sendMails(server)).toEqual([])
    await sell(saleId, { saleCards: '2' })
    expect((await sendMails(server)).map(({ subject }) => subject)).toEqual(['We received your 2 gift cards'])
    expect(await submit(seller, { saleId, saleCards: '21' })).toMatchObject({ status: 400 })
  })

  it('goes out before the email about a decision', async () => {
    const [id] = await sell(randomUUID(), {}, {})
    await staff.patch(`/api/admin/submissions/${id}/status`, { status: 'rejected', reason: 'image_blurry' })
    expect((await receipts()).map(({ subject }) => subject)).toEqual([
      'We received your 2 gift cards',
      'We could not accept your Amazon card',
    ])
  })

  it('is the same when its job runs again after a crash', async () => {
    const saleId = randomUUID()
    await sell(saleId, {}, {})
    const job = { saleId, after: 0 }
    await closeReceipt(server.context, job)
    await sell(saleId, {}, {}, {})
    await closeReceipt(server.context, job)
    expect((await receipts()).map(({ subject }) => subject)).toEqual([
      'We received your 2 gift cards',
      'We received your 3 gift cards',
    ])
  })

  it('has each card once when they arrive while receipts are made', async () => {
    const saleId = randomUUID()
    const firstReceipts = async () => {
      for (;;) {
        const mails = await receipts()
        if (mails.length > 0) return mails
      }
    }
    const cards = [100, 200, 300, 400, 500, 600].map((value) =>
      submitted(seller, { saleId, denomination: `${value}`, sellingPrice: `${value * 0.93}` }),
    )
    const [mails] = await Promise.all([firstReceipts(), ...cards])
    const text = [...mails, ...(await receipts())].map((mail) => mail.text).join('\n')
    // A receipt of one card names it like a receipt of several.
    const listed = text.match(/(?<=Amazon •••• 5678, )\$\d00\.00/g)
    expect(listed?.sort()).toEqual(['$100.00', '$200.00', '$300.00', '$400.00', '$500.00', '$600.00'])
  })
})

describe('the receipt of a card whose balance is asked for', () => {
  beforeAll(async () => {
    const service = await balanceService(staff)
    service.answer = { json: '{"status":"ok","amount":"4.50"}' }
    seller = await server.seller()
    await confirmEmail(server, seller)
    return () => staff.delete('/api/admin/balance-connectors/amazon')
  })

  /** What the seller gets while the service still thinks. */
  async function mailsBeforeAnswer(): Promise<Mail[]> {
    await server.pool.query(
      "update jobs set run_at = now() + interval '1 hour' where kind = 'askBalance' and done_at is null",
    )
    return sendMails(server)
  }
  async function mailsAfterAnswer(): Promise<Mail[]> {
    await server.pool.query("update jobs set run_at = now() where kind = 'askBalance' and done_at is null")
    return sendMails(server)
  }
  async function mailsAfterWaiting(): Promise<Mail[]> {
    await server.pool.query(
      "update jobs set run_at = run_at - interval '25 seconds' where kind <> 'askBalance' and done_at is null",
    )
    return sendMails(server)
  }

  it('says what was found, in the words of the screens', async () => {
    await submitted(seller)
    expect(await mailsBeforeAnswer()).toEqual([])
    const [mail, ...more] = await mailsAfterAnswer()
    expect([mail?.subject, more]).toEqual(['We received your Amazon card', []])
    expect(mail?.text).toContain(
      'Your quote is $93.00. We found a balance of $4.50; a person will check it and may offer another price.',
    )
    expect(mail?.text).toContain('Your quote: $93.00\n')
    expect(mail?.text).not.toContain('You receive')
    expect(await mailsAfterWaiting()).toEqual([])
  })

  it('waits 25 seconds at most', async () => {
    await submitted(seller)
    expect(await mailsBeforeAnswer()).toEqual([])
    const [mail, ...more] = await mailsAfterWaiting()
    expect(mail?.text).toContain('If we approve your card, we will send you $93.00.')
    expect([more, await mailsAfterAnswer()]).toEqual([[], []])
  })

  it('does not wait for other brands', async () => {
    await submitted(seller, { brand: 'steam', denomination: '50', sellingPrice: '44.00' })
    expect((await mailsBeforeAnswer()).map(({ subject }) => subject)).toEqual(['We received your Steam card'])
  })

  it('comes before the email about a decision', async () => {
    const id = await submitted(seller)
    await accepted(
      staff.patch(`/api/admin/submissions/${id}/status`, { status: 'rejected', reason: 'image_blurry' }),
    )
    expect((await mailsBeforeAnswer()).map(({ subject }) => subject)).toEqual([
      'We received your Amazon card',
      'We could not accept your Amazon card',
    ])
    expect(await mailsAfterAnswer()).toEqual([])
  })

  it('names the balance of each card of a sale, also if another one was last', async () => {
    const saleId = randomUUID()
    const steam = { brand: 'steam', denomination: '50', sellingPrice: '44.00' }
    await sell(saleId, { saleCards: '2' }, { ...steam, saleCards: '2' })
    expect(await mailsBeforeAnswer()).toEqual([])
    expect(await mailsAfterAnswer()).toEqual([])
    const [mail, ...more] = await mailsAfterWaiting()
    expect([mail?.subject, more]).toEqual(['We received your 2 gift cards', []])
    expect(mail?.text).toMatch(
      /\$100\.00 \(.*\): Quote \$93\.00, balance \$4\.50\nSteam •••• 5678, \$50\.00 \(.*\): \$44\.00\nTotal value: 2 cards, \$150\.00\nYour quote: \$137\.00\n/,
    )
    expect(mail?.text).not.toContain('You receive')
  })
})

describe('emails about the cards of a sale', () => {
  /** The due emails about decisions. Receipts and the welcome may be due too. */
  async function dueMails(): Promise<Mail[]> {
    return (await sendMails(server)).filter(({ subject }) => /^(Approved|We could not|Paid)/.test(subject))
  }
  async function mailsNow(): Promise<Mail[]> {
    await server.pool.query("update jobs set run_at = now() where kind = 'statusMail' and done_at is null")
    return dueMails()
  }
  const move = (id: string | undefined, status: string, more: object = {}) =>
    staff.patch(`/api/admin/submissions/${id}/status`, { status, ...more })

  it('are one email for cards approved together, without a move that was undone', async () => {
    const ids = await sell(randomUUID(), {}, { denomination: '50', sellingPrice: '46.50' }, {}, {})
    const [, , undone, later] = ids
    const { version } = (await move(undone, 'processing', { undoable: true })).json
    for (const id of ids.slice(0, 2)) await move(id, 'processing')
    await staff.post(`/api/admin/submissions/${undone}/undo`, { version })
    expect(await dueMails(), 'wait for more cards').toEqual([])
    await move(later, 'processing')
    // More than a minute later.
    await server.pool.query(`
      alter table status_history disable trigger user;
      update status_history set at = at + interval '2 minutes' where gift_card_id = '${later}' and version = 2;
      alter table status_history enable trigger user`)
    // Workers send them in any order.
    const mails = await mailsNow()
    const [mail, single, ...more] = mails.toSorted((one, other) => (one.subject < other.subject ? -1 : 1))
    expect(mail?.subject).toBe('Approved: $139.50 for 2 cards')
    expect(mail?.text).toMatch(
      /\$100\.00 \(.*\): \$93\.00\nAmazon •••• 5678, \$50\.00 \(.*\): \$46\.50\nTotal value: 2 cards, \$150\.00\nYou receive: \$139\.50/,
    )
    expect([single?.subject, more]).toEqual(['Approved: $93.00 for your Amazon card', []])
  })

  it('of cards approved together say once where and by when the money should arrive', async () => {
    await server.pool.query('update users set verified = true where id = $1', [seller.id])
    const ids = await sell(randomUUID(), {}, {}, { paymentAccountInfo: '2125550123', paymentType: 'zelle' })
    for (const id of ids) await move(id, 'processing')
    const mails = (await mailsNow()).toSorted((one, other) => (one.subject < other.subject ? -1 : 1))
    expect(mails.map(({ subject }) => subject)).toEqual([
      'Approved: $186.00 for 2 cards',
      'Approved: $93.00 for your Amazon card',
    ])
    expect(mails[0]?.text).toMatch(
      /The money should arrive by (\w+day, \w+ \d+)\.[\s\S]*Payout to: PayPal, s•••@example\.com\nExpected by: \1\n/,
    )
    expect(mails[1]?.text).toContain('Payout to: Zelle, ')
    await server.pool.query('update users set verified = false where id = $1', [seller.id])
  })

  it('are one email for cards rejected together, each with its reason', async () => {
    const [first, second, paid] = await sell(
      randomUUID(),
      {},
      { denomination: '50', sellingPrice: '46.50' },
      {},
    )
    await move(first, 'rejected', { reason: 'image_blurry' })
    await move(paid, 'processing')
    await move(second, 'rejected', { reason: 'It is from another country' })
    const mails = await mailsNow()
    expect(mails.map(({ subject }) => subject).toSorted()).toEqual([
      'Approved: $93.00 for your Amazon card',
      'We could not accept 2 of your cards',
    ])
    const text = mails.find(({ subject }) => subject.startsWith('We could'))?.text
    expect(text).toContain('This is why:')
    expect(text).toMatch(/Amazon •••• 5678, \$100\.00 \(.*\): .*blurry/)
    expect(text).toMatch(/Amazon •••• 5678, \$50\.00 \(.*\): It is from another country/)
    expect(text).not.toMatch(/6006|9876/)
  })

  it('are one email for cards paid together in the same way, each with its confirmation number', async () => {
    const [first, second, other] = await sell(
      randomUUID(),
      {},
      { denomination: '50', sellingPrice: '46.50' },
      { paymentAccountInfo: 'other@example.com' },
    )
    for (const id of [first, second, other]) await move(id, 'processing')
    await mailsNow()
    await move(first, 'completed', { reference: 'PP-1' })
    await move(second, 'completed', { reference: 'PP-2' })
    await move(other, 'completed')
    const mails = (await mailsNow()).toSorted((one, two) => (one.subject < two.subject ? -1 : 1))
    expect(mails.map(({ subject }) => subject)).toEqual([
      'Paid: $139.50 for 2 cards',
      'Paid: $93.00 for your Amazon card',
    ])
    const text = mails[0]?.text
    expect(text).toContain('Each card is a separate payment, 2 in all.')
    expect(text).toMatch(
      /\$100\.00 \(.*, PayPal confirmation: PP-1\): \$93\.00\nAmazon •••• 5678, \$50\.00 \(.*PP-2\)/,
    )
    expect(text).toContain('You received: $139.50\nPayout to: PayPal, ')
  })
})
