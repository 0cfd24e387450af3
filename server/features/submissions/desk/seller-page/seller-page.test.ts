import sharp from 'sharp'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { tidy } from '#server/housekeeping.ts'
import { createTestApp, type TestApp } from '#test/app.ts'
import { cardColumns } from '#test/card-columns.ts'
import type { Person } from '#test/person.ts'
import { explain } from '#test/plans.ts'
import { contentsOf } from '#test/security/contents.ts'
import { field, photo, submit, submitted, submittedIn } from '#test/submissions.ts'
import { whileAccountIsLocked } from '#test/waiting.ts'
import { withoutRandom } from '#test/without-random.ts'
import { readSeller } from './seller.ts'

let server: TestApp
let manager: Person
let reviewer: Person
let seller: Person
beforeAll(async () => {
  server = await createTestApp()
  manager = await server.staff('mia', 'manager')
  reviewer = await server.staff('rob', 'reviewer')
})
let made = 0
beforeEach(async () => {
  seller = await server.seller()
})

const page = (id = seller.id) => reviewer.get(`/api/admin/seller?id=${id}`)
const change = (state: string, reason = 'Because', by = manager) =>
  by.patch(`/api/admin/seller?id=${seller.id}`, { state, reason })
const note = (about: object, text = 'A note') => reviewer.post('/api/admin/notes', { ...about, text })
const move = (id: string, status: string) => reviewer.patch(`/api/admin/submissions/${id}/status`, { status })
/** A card that resembles no other. */
const unlike = () => {
  made++
  return { cardNumber: `UNLIKE-${made}`, paymentAccountInfo: `unlike${made}@example.com` }
}

/** A picture with a likeness, which photos of one color do not have. */
function pattern(): Promise<Buffer> {
  const tiles = Buffer.from(Array.from({ length: 72 }, (_, index) => (index * 37) % 256))
  return sharp(tiles, { raw: { width: 9, height: 8, channels: 1 } })
    .resize({ width: 288, height: 256, kernel: 'nearest' })
    .jpeg()
    .toBuffer()
}

/** Runs `change` while the request waits for the seller's row. */
const whileWaiting = <T>(request: () => Promise<T>, change: string) =>
  whileAccountIsLocked(server.pool, seller, request, change)

describe('the state of a seller', () => {
  it('is changed only from the one that was seen, if the call names it', async () => {
    const changeFrom = (from: string, state: string, by = manager) =>
      by.patch(`/api/admin/seller?id=${seller.id}`, { state, reason: 'Because', from })
    const other = await server.staff('max', 'manager')
    const answers = await Promise.all([
      changeFrom('active', 'held'),
      changeFrom('active', 'blocked', other),
      changeFrom('active', 'blocked', other),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    const isHeld = answers[0].status === 200
    const { json } = await page()
    expect(json).toMatchObject({
      state: isHeld ? 'held' : 'blocked',
      stateChange: { by: isHeld ? 'mia' : 'max' },
    })
    expect(answers.find(({ status }) => status === 409)?.json).toMatchObject({
      code: 'seller_changed',
      message: `${isHeld ? 'mia' : 'max'} has changed the state of this seller in the meantime: it is ${json.state} now`,
    })
    expect((await changeFrom(json.state, 'active')).status).toBe(200)
    expect((await change('held')).status).toBe(200)
    expect((await changeFrom('king', 'active')).json.errors).toMatchObject([{ path: 'from' }])
  })

  it('is changed by managers, with a reason that only staff see', async () => {
    expect((await page()).json).toMatchObject({ state: 'active', stateChange: null })
    const answer = await change('held', 'Waits for an ID, see card 6006 4930 1111 2222')
    expect(answer.status).toBe(200)
    const stateChange = { text: 'Waits for an ID, see card 6006 4930 1111 2222', by: 'mia' }
    expect(answer.json).toMatchObject({
      state: 'held',
      stateChange,
      notes: [{ ...stateChange, state: 'held' }],
    })
    expect((await change('active', 'ID is fine')).json).toMatchObject({
      state: 'active',
      stateChange: { text: 'ID is fine' },
    })
    const owner = await server.staff()
    const log = await owner.get(`/api/admin/audit?subject=${seller.id}`)
    expect(log.json).toMatchObject([
      { actor: 'mia', action: 'seller.state_changed', details: { from: 'held', to: 'active' } },
      { actor: 'mia', subjectKind: 'seller', details: { from: 'active', to: 'held' } },
    ])
    expect(log.text).not.toContain('ID')
    expect((await seller.get('/api/auth/me')).json.user).not.toHaveProperty('state')
    expect((await change('held', 'Mine', reviewer)).json.code).toBe('not_permitted')
    expect((await change('gone')).json.errors).toMatchObject([{ path: 'state', code: 'state_unknown' }])
    expect((await change('held', ' ')).json.errors).toMatchObject([{ code: 'reason_required' }])
  })

  it('blocks new submissions and nothing else, in the words of the seller', async () => {
    const id = await submittedIn('under_review', { seller, staff: reviewer })
    await change('blocked')
    const refused = await submit(seller, { brand: '' })
    expect([refused.status, refused.json.code]).toEqual([403, 'seller_blocked'])
    expect(refused.json.message).toContain('write to our support')
    expect((await seller.get('/api/user/gift-cards')).json).toHaveLength(1)
    expect((await seller.post(`/api/user/gift-cards/${id}/withdraw`)).status).toBe(200)
    expect((await seller.post('/api/chat/messages', { message: 'Why?' })).status).toBe(201)
    await change('active')
    expect((await submit(seller)).status).toBe(201)
  })

  it('answers a repeated submission from before the block with its result', async () => {
    const photos = [await photo()]
    const first = await submit(seller, {}, { key: 'before', photos })
    await change('blocked')
    const again = await submit(seller, {}, { key: 'before', photos })
    expect([again.status, again.json.giftCard.id]).toEqual([200, first.json.giftCard.id])
  })

  it('refuses a submission that waits for the block, and leaves nothing of it', async () => {
    const { sessions: _, ...before } = await contentsOf(server.pool)
    const answer = await whileWaiting(
      () => submit(seller),
      "update users set state = 'blocked' where id = $1",
    )
    expect([answer.status, answer.json.code]).toEqual([403, 'seller_blocked'])
    const { sessions: __, ...after } = await contentsOf(server.pool)
    expect(after.gift_cards).toEqual(before.gift_cards)
    expect(after.photos).toEqual(before.photos)
  })

  it('refuses the moves that pay a held seller, and shows it on the desk', async () => {
    const [fresh, approved] = [
      await submitted(seller),
      await submittedIn('processing', { seller, staff: reviewer }),
    ]
    await change('held')
    expect((await reviewer.get(`/api/admin/submissions/${fresh}`)).json.user.state).toBe('held')
    const payer = await server.staff('pat', 'manager')
    for (const id of [fresh, approved]) {
      const refused = await payer.patch(`/api/admin/submissions/${id}/status`, { status: 'completed' })
      expect([refused.status, refused.json.code]).toEqual([409, 'seller_held'])
    }
    expect((await submit(seller)).status).toBe(201)
    expect((await move(fresh, 'processing')).status).toBe(200)
    expect((await seller.get('/api/user/gift-cards')).text).not.toContain('held')
    await change('blocked')
    expect(
      (await payer.patch(`/api/admin/submissions/${approved}/status`, { status: 'completed' })).status,
    ).toBe(200)
  })

  it('refuses a payment that waits for the hold', async () => {
    const id = await submitted(seller)
    const payer = await server.staff('pat', 'manager')
    const answer = await whileWaiting(
      () => payer.patch(`/api/admin/submissions/${id}/status`, { status: 'completed' }),
      "update users set state = 'held' where id = $1",
    )
    expect(answer.json.code).toBe('seller_held')
  })
})

describe('notes', () => {
  it('are about a seller or a submission, newest first, and in pages', async () => {
    const id = await submitted(seller)
    const [one, two] = [await note({ userId: seller.id }, 'One'), await note({ submissionId: id }, 'Two')]
    expect(one.status).toBe(201)
    expect(one.json).toMatchObject({ submissionId: null, state: null, text: 'One', by: 'rob' })
    const ofSeller = await reviewer.get(`/api/admin/notes?userId=${seller.id}&limit=1`)
    expect(ofSeller.json).toEqual([two.json])
    expect(ofSeller.headers['x-total-count']).toBe('2')
    expect((await reviewer.get(`/api/admin/notes?submissionId=${id}`)).json).toEqual([two.json])
    expect((await page()).json.notes).toEqual([two.json, one.json])
  })

  it('need a text and exactly one subject', async () => {
    const id = await submitted(seller)
    expect((await note({ userId: seller.id }, ' ')).json.errors).toMatchObject([{ code: 'text_required' }])
    for (const about of [{}, { userId: seller.id, submissionId: id }]) {
      expect((await note(about)).json.errors).toMatchObject([{ path: 'userId', code: 'note_unclear' }])
    }
    expect((await reviewer.get('/api/admin/notes')).status).toBe(400)
    expect((await note({ submissionId: seller.id })).status).toBe(404)
    expect((await reviewer.get(`/api/admin/notes?submissionId=${seller.id}`)).status).toBe(404)
    const auditor = await server.staff('ada', 'auditor')
    const refused = await auditor.post('/api/admin/notes', { userId: seller.id, text: 'Hello' })
    expect(refused.json.code).toBe('not_permitted')
    expect((await auditor.get(`/api/admin/notes?userId=${seller.id}`)).status).toBe(200)
  })

  it('are encrypted, cannot be edited, and reach no seller', async () => {
    const id = await submitted(seller)
    await note({ userId: seller.id }, 'NOTE-CANARY of the seller')
    await note({ submissionId: id }, 'NOTE-CANARY of the card')
    await change('held', 'NOTE-CANARY of the state')
    const hex = Buffer.from('NOTE-CANARY').toString('hex')
    const { rows } = await server.pool.query('select notes::text as row from notes')
    expect(JSON.stringify(rows)).not.toContain(hex)
    await expect(server.pool.query("update notes set text = ''")).rejects.toThrow('append-only')
    for (const path of [
      '/api/auth/me',
      '/api/user/gift-cards',
      `/api/user/gift-cards/${id}/history`,
      '/api/my-transactions',
    ]) {
      expect(withoutRandom((await seller.get(path)).text)).not.toContain('CANARY')
    }
  })

  it('about a submission are deleted when it is cleared or erased, and those about the seller stay', async () => {
    const [cleared, erased] = [
      await submitted(seller),
      await submittedIn('rejected', { seller, staff: reviewer }),
    ]
    await note({ userId: seller.id }, 'The seller’s')
    for (const submissionId of [cleared, erased]) await note({ submissionId })
    await server.pool.query("update gift_cards set updated_at = now() - interval '91 days' where id = $1", [
      erased,
    ])
    await tidy(server.context, { eraseAfterDays: 90 } as never)
    expect(
      (await page()).json.notes.map(({ submissionId }: { submissionId: string }) => submissionId),
    ).toEqual([cleared, null])
    await manager.delete('/api/admin/submissions')
    expect((await page()).json.notes).toMatchObject([{ text: 'The seller’s' }])
    expect((await note({ submissionId: cleared })).status).toBe(404)
  })
})

describe('the page of a seller', () => {
  it('counts a rejection that was appealed, as the record beside a submission does', async () => {
    const staff = await server.staff()
    const id = await submittedIn('rejected', { seller, staff }, unlike())
    await seller.upload(`/api/user/gift-cards/${id}/appeal`, [field('message', 'Please look again')])
    expect((await page()).json.totals).toMatchObject({ submitted: 1, open: 1, rejected: 1 })
    expect((await staff.get(`/api/admin/submissions/${id}/seller-record`)).json).toMatchObject({
      rejected: 1,
    })
  })

  it('shows who it is, totals, newest submissions and the chat', async () => {
    const staff = await server.staff()
    const pending = await submitted(seller, unlike())
    await submittedIn('processing', { seller, staff }, unlike())
    await submittedIn('completed', { seller, staff }, unlike())
    await submittedIn('rejected', { seller, staff }, unlike())
    await seller.post('/api/chat/messages', { message: 'Hello' })
    const { json } = await page()
    expect(json).toMatchObject({
      id: seller.id,
      firstName: 'Sally',
      verified: false,
      phoneNumber: null,
      totals: {
        submitted: 4,
        open: 1,
        approved: 1,
        completed: 1,
        rejected: 1,
        failed: 0,
        paid: '93.00',
        owed: '93.00',
      },
      chat: { unreadCount: 1 },
      links: [],
    })
    expect(json.submissions.map(({ status }: { status: string }) => status)).toEqual([
      'rejected',
      'completed',
      'processing',
      'pending',
    ])
    expect(json.submissions[3]).toMatchObject({ id: pending, brandName: 'Amazon', quote: '93.00' })
    expect(JSON.stringify(json)).not.toContain('passwordHash')
  })

  it('counts what waits for an account as owed, and shows when it was voided', async () => {
    const staff = await server.staff()
    const failed = async (reason: string) => {
      const id = await submittedIn('processing', { seller, staff }, unlike())
      await staff.patch(`/api/admin/submissions/${id}/status`, { status: 'failed', reason })
      return id
    }
    for (const reason of ['payout_account_closed', 'payout_refused', 'Stolen card']) {
      await failed(reason)
    }
    const { totals, payouts } = (await page()).json
    expect(totals).toMatchObject({ owed: '186.00', unpayable: '186.00' })
    const { voidedAt, submissionId, dueAt } = payouts[0]
    const history = (await staff.get(`/api/admin/submissions/${submissionId}/history`)).json
    expect(voidedAt).toBe(history.at(-1).at)
    expect(voidedAt > dueAt).toBe(true)
    await submittedIn('processing', { seller, staff }, unlike())
    expect((await page()).json.payouts[0]).toMatchObject({ state: 'due', voidedAt: null })
  })

  it('masks payout accounts and counts who else used them', async () => {
    const account = { paymentAccountInfo: 'shared-account@example.com' }
    const other = await server.seller()
    for (const person of [seller, seller, other]) await submitted(person, { ...unlike(), ...account })
    await submitted(seller, unlike())
    const { accounts } = (await page()).json
    expect(accounts).toMatchObject([
      { submissions: 1, otherSellers: 0 },
      { paymentType: 'paypal', accountName: 'Sally Seller', submissions: 2, otherSellers: 1 },
    ])
    expect(JSON.stringify(accounts)).not.toContain('shared-account@')
  })

  it('links sellers by card number, photo and payout account, strongest first', async () => {
    const [byAccount, byPhoto, byNumber] = [
      await server.seller(),
      await server.seller(),
      await server.seller(),
    ]
    const own = { cardNumber: 'LINK-4711', paymentAccountInfo: 'link@example.com' }
    const picture = await pattern()
    await submit(seller, own, { photos: [picture] })
    await submitted(byAccount, { ...unlike(), paymentAccountInfo: own.paymentAccountInfo })
    await submit(byPhoto, unlike(), { photos: [picture] })
    await submitted(byNumber, { ...own, paymentAccountInfo: 'other@example.com' })
    const newest = await submitted(byNumber, { ...unlike(), paymentAccountInfo: own.paymentAccountInfo })
    const link = ({ id }: Person, reasons: string[]) => ({ user: { id, state: 'active' }, reasons })
    const { links } = (await page()).json
    expect(links).toMatchObject([
      link(byNumber, ['card_number', 'payment_account']),
      link(byPhoto, ['photo']),
      link(byAccount, ['payment_account']),
    ])
    expect(links[0].submissionId).toBe(newest)
  })

  it('reads few rows, however many submissions share its number and account', async () => {
    const shared = { cardNumber: 'SHARED-1', paymentAccountInfo: 'everybody@example.com' }
    await submitted(seller, shared)
    const others = await submitted(await server.seller(), shared)
    await server.pool.query(
      `insert into gift_cards (${cardColumns}) select ${cardColumns} from (select (jsonb_populate_record(card, jsonb_build_object(
         'id', gen_random_uuid(), 'idempotency_key', null
       ))).* from gift_cards card, generate_series(1, 3000) where card.id = $1) as copies`,
      [others],
    )
    const statements = await explain(server.pool, (db) =>
      readSeller({ ...server.context, db }, { role: 'owner' }, seller.id),
    )
    expect(statements.flatMap(({ scanned }) => scanned)).toEqual([])
    expect(statements.reduce((sum, { visited }) => sum + visited, 0)).toBeLessThan(500)
  })

  it('answers 404 for an unknown seller and 400 for no id', async () => {
    expect((await page('019a0000-0000-7000-8000-000000000000')).status).toBe(404)
    expect((await reviewer.get('/api/admin/seller')).status).toBe(400)
  })
})
