import { beforeAll, describe, expect, it } from 'vitest'
import type { ChatThread } from '#contract/staff-chat.ts'
import { countedLists, type ThreadListName, threadLists } from '#domain/chat.ts'
import { MAX_COUNTED } from '#domain/counting.ts'
import { createTestApp, type TestApp } from '#test/app.ts'
import { contacted } from '#test/chat.ts'
import { createFilledDatabase } from '#test/filled.ts'
import type { Person, TestAnswer } from '#test/person.ts'
import { explain } from '#test/plans.ts'
import { LiveClient } from '#test/socket.ts'
import { submitted, submittedIn } from '#test/submissions.ts'
import { countLists, countThreads, listThreads } from './thread-list-queries.ts'

let server: TestApp
let staff: Person
let ana: Person
beforeAll(async () => {
  server = await createTestApp()
  staff = await server.staff()
  ana = await server.staff('ana', 'reviewer')
})

type Customer = { userId: string } | { sessionId: string }
const change = (by: Person, customer: Customer, body: object) =>
  by.patch('/api/admin/chat/threads', { ...customer, ...body })
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()
const say = (seller: Person) => seller.post('/api/chat/messages', { message: 'Hello' })

async function seller(): Promise<{ person: Person; customer: Customer }> {
  const person = await server.seller()
  await say(person)
  return { person, customer: { userId: person.id } }
}

const listed = ({ json }: TestAnswer, customer: Customer): ChatThread | undefined =>
  json.find(({ userId, sessionId }: ChatThread) =>
    'userId' in customer ? userId === customer.userId : sessionId === customer.sessionId,
  )

const counts = async (by: Person) => (await by.get('/api/admin/chat/counts')).json

/** The lists that show the thread to this administrator. */
async function shownIn(customer: Customer, by = staff): Promise<ThreadListName[]> {
  const answers = await Promise.all(
    threadLists.map(async (show) => ({
      show,
      answer: await by.get(`/api/admin/chat/threads?limit=200&show=${show}`),
    })),
  )
  const all = await by.get('/api/admin/chat/threads?limit=200')
  expect(listed(all, customer), 'is always in the list of all').toBeDefined()
  return answers.filter(({ answer }) => listed(answer, customer)).map(({ show }) => show)
}

describe('a thread', () => {
  it('is open at first, and can be closed and opened again', async () => {
    const { customer } = await seller()
    expect(await shownIn(customer)).toEqual(['open', 'waiting', 'unread'])
    await staff.post('/api/admin/chat/mark-read', customer)
    expect(await shownIn(customer), 'read, but not answered').toEqual(['open', 'waiting'])
    expect((await change(staff, customer, { unread: true })).json.unreadCount).toBe(1)
    expect(await shownIn(customer)).toEqual(['open', 'waiting', 'unread'])
    await staff.post('/api/admin/chat/mark-read', customer)
    const closed = await change(staff, customer, { closed: true })
    expect(closed.status).toBe(200)
    expect(closed.json).toMatchObject({ ...customer, state: 'closed', unreadCount: 0, lastMessage: 'Hello' })
    expect(await shownIn(customer)).toEqual(['closed'])
    expect((await change(staff, customer, { closed: false })).json.state).toBe('open')
    expect(await shownIn(customer)).toEqual(['open', 'waiting'])
    await staff.post('/api/admin/chat/reply', { ...customer, message: 'Hello to you' })
    expect(await shownIn(customer)).toEqual(['open'])
  })

  it('can be snoozed, closed or not, and is open again afterwards', async () => {
    const { sessionId } = await contacted(server)
    const until = inAnHour()
    await change(staff, { sessionId }, { closed: true })
    const snoozed = await change(staff, { sessionId }, { snoozedUntil: until, assignedTo: 'me' })
    expect(snoozed.json).toMatchObject({ state: 'snoozed', snoozedUntil: until })
    expect(await shownIn({ sessionId })).toEqual(['snoozed', 'unread'])
    await server.pool.query("update chat_threads set snoozed_until = now() - interval '1 s' where id = $1", [
      snoozed.json.id,
    ])
    expect(await shownIn({ sessionId })).toEqual(['open', 'waiting', 'unread', 'mine'])
    const [thread] = (await staff.get(`/api/admin/chat/threads?id=${snoozed.json.id}`)).json
    expect(thread).toMatchObject({ state: 'open', snoozedUntil: null })

    await change(staff, { sessionId }, { snoozedUntil: until })
    expect((await change(staff, { sessionId }, { snoozedUntil: null })).json.state).toBe('open')
    await change(staff, { sessionId }, { snoozedUntil: until })
    expect((await change(staff, { sessionId }, { closed: true })).json).toMatchObject({
      state: 'closed',
      snoozedUntil: null,
    })
  })

  it.each([{ closed: true }, { snoozedUntil: inAnHour() }])(
    'that is %j is opened by the customer’s next message, not by a reply, and the customer sees nothing of it',
    async (state) => {
      const { person, customer } = await seller()
      const { visitor, sessionId } = await contacted(server)
      for (const [name, reply, send, read] of [
        [customer, '/api/admin/chat/reply', () => say(person), () => person.get('/api/chat/messages')],
        [
          { sessionId },
          '/api/admin/contact/reply',
          () => visitor.post('/api/contact/message', { sessionId, message: 'And?' }),
          () => visitor.get(`/api/contact/messages?sessionId=${sessionId}`),
        ],
      ] as const) {
        const fields = Object.keys((await read()).json[0])
        await change(staff, name, { ...state, assignedTo: ana.id })
        expect((await staff.post(reply, { ...name, message: 'Thank you' })).status).toBe(201)
        expect(await shownIn(name)).not.toContain('open')
        expect((await send()).status).toBe(201)
        expect(await shownIn(name, ana)).toEqual(['open', 'waiting', 'unread', 'mine'])
        expect(Object.keys((await read()).json.at(-1))).toEqual(fields)
      }
    },
  )

  it('is searched for in the list that is shown', async () => {
    const person = await server.seller('findme')
    await say(person)
    await change(staff, { userId: person.id }, { closed: true })
    const find = (show: string) => staff.get(`/api/admin/chat/threads?q=findme${show}`)
    expect((await find('')).headers['x-total-count']).toBe('1')
    expect((await find('&show=closed')).json).toHaveLength(1)
    const open = await find('&show=open')
    expect([open.json, open.headers['x-total-count']]).toEqual([[], '0'])
  })

  it('is missing before the first message', async () => {
    const silent = await server.seller()
    expect((await change(staff, { userId: silent.id }, { closed: true })).status).toBe(404)
  })

  it.each([
    [{ snoozedUntil: '2020-01-01T00:00:00Z' }, 'snoozedUntil', 'snooze_past'],
    [{ snoozedUntil: '9999-12-31T23:59:59-23:00' }, 'snoozedUntil', 'time_invalid'],
    [{ snoozedUntil: 'tomorrow' }, 'snoozedUntil', 'time_invalid'],
    [{ assignedTo: 'nobody' }, 'assignedTo', 'assignee_unavailable'],
    [{ closed: 'yes' }, 'closed', 'wrong_type'],
  ])('does not take %j', async (body, path, code) => {
    const { customer } = await seller()
    const answer = await change(staff, customer, body)
    expect(answer.status).toBe(400)
    expect(answer.json.errors).toMatchObject([{ path, code }])
    expect((await change(staff, { ...customer, sessionId: 'x' } as Customer, {})).status).toBe(400)
  })
})

describe('who looks after a thread', () => {
  it('is the last administrator that it was assigned to, or nobody', async () => {
    const { customer } = await seller()
    const assigned = async (by: Person, assignedTo: string) =>
      (await change(by, customer, { assignedTo })).json.assignedTo
    const socket = await LiveClient.open(await server.listen(), { cookie: ana.cookieHeader })
    const byAdmin = { by: 'admin', at: expect.any(String) }
    expect(await assigned(staff, 'me')).toEqual({ id: staff.id, username: 'admin', ...byAdmin })
    expect(await shownIn(customer)).toEqual(['open', 'waiting', 'unread', 'mine'])
    expect(await shownIn(customer, ana)).toEqual(['open', 'waiting', 'unread'])
    expect(await assigned(staff, ana.id)).toEqual({ id: ana.id, username: 'ana', ...byAdmin })
    expect(await assigned(staff, ana.id), 'again').toMatchObject(byAdmin)
    const notice = { type: 'ASSIGNED', assigneeId: ana.id, by: 'admin', about: expect.any(String) }
    const notices = () => socket.messages.filter(({ type }) => type === 'ASSIGNED')
    await expect.poll(notices).toEqual([notice])
    socket.close()
    expect(await shownIn(customer, ana)).toEqual(['open', 'waiting', 'unread', 'mine'])
    // Closing keeps it, so that the thread comes back to the same administrator.
    expect((await change(ana, customer, { closed: true })).json.assignedTo.username).toBe('ana')
    expect(await shownIn(customer, ana)).toEqual(['closed', 'unread'])
    expect(await assigned(staff, 'none')).toBeNull()
    const { json } = await staff.get('/api/admin/audit?action=thread.assigned')
    expect(json.slice(0, 3)).toMatchObject(
      [null, 'ana', 'admin'].map((assignee) => ({ actor: 'admin', details: { assignee } })),
    )
  })

  it('has them in the counts of their own list', async () => {
    const before = await counts(ana)
    const { customer } = await seller()
    await change(staff, customer, { assignedTo: ana.id })
    const { open, waiting, unread, mine, snoozed } = before
    expect(await counts(ana)).toEqual({
      open: open + 1,
      waiting: waiting + 1,
      unread: unread + 1,
      mine: mine + 1,
      snoozed,
    })
    await change(ana, customer, { snoozedUntil: inAnHour() })
    expect(await counts(ana)).toEqual({ open, waiting, unread: unread + 1, mine, snoozed: snoozed + 1 })
  })

  it('is the same person for two who take it at once, and both screens are updated', async () => {
    const desks = await Promise.all(
      [staff, ana].map(async (by) =>
        LiveClient.open(await server.listen(), { cookie: by.cookieHeader ?? '' }),
      ),
    )
    const { customer } = await seller()
    const answers = await Promise.all([staff, ana].map((by) => change(by, customer, { assignedTo: 'me' })))
    expect(answers.map(({ json }) => json.assignedTo.username)).toEqual(['admin', 'ana'])
    const shown = await Promise.all(
      [staff, ana].map(
        async (by) => listed(await by.get('/api/admin/chat/threads?limit=200'), customer)?.assignedTo,
      ),
    )
    expect(shown[0]).toEqual(shown[1])
    const threadId = answers[0]?.json.id
    const push = { type: 'THREAD_UPDATE', threadId, what: 'changed' }
    for (const desk of desks) {
      const updates = () =>
        desk.messages.filter(
          (message) => 'what' in message && 'threadId' in message && message.threadId === threadId,
        )
      await expect.poll(updates).toEqual([push, push])
      desk.close()
    }
  })

  it('can be neither disabled nor someone who may not chat', async () => {
    const { customer } = await seller()
    const gone = await server.staff('gone')
    await server.pool.query('update administrators set disabled_at = now() where id = $1', [gone.id])
    const others = [gone, await server.staff('otto', 'auditor'), await server.seller()]
    for (const { id } of others) {
      const answer = await change(staff, customer, { assignedTo: id })
      expect([answer.status, answer.json.errors?.[0]?.path]).toEqual([400, 'assignedTo'])
    }
  })
})

describe('the cards beside a conversation', () => {
  it('are the seller’s newest, without those that were cleared', async () => {
    const own = await createTestApp()
    const [admin, person] = [await own.staff(), await own.seller()]
    await submitted(await own.seller())
    const cards = (userId: string) => admin.get(`/api/admin/chat/cards?userId=${userId}`)
    expect((await cards(person.id)).json).toEqual([])
    const first = await submittedIn('rejected', { seller: person, staff: admin })
    const second = await submitted(person)
    const offered = await submittedIn('offered', { seller: person, staff: admin })
    const { offer } = (await admin.get(`/api/admin/submissions/${offered}`)).json
    expect((await cards(person.id)).json[0]).toMatchObject({ id: offered, quote: offer.amount })
    await own.pool.query('update gift_cards set cleared_at = now() where id = $1', [offered])
    expect((await cards(person.id)).json).toEqual([
      {
        id: second,
        brandName: 'Amazon',
        denomination: '100.00',
        quote: expect.stringMatching(/^\d+\.\d\d$/),
        status: 'pending',
        needsAccount: false,
        payout: null,
        createdAt: expect.any(String),
      },
      expect.objectContaining({ id: first, status: 'rejected' }),
    ])
    await own.pool.query('update gift_cards set cleared_at = now() where id = $1', [second])
    expect((await cards(person.id)).json).toMatchObject([{ id: first }])
  })

  it('say what the money of an approved card waits for, and the expected day that its seller reads', async () => {
    const own = await createTestApp()
    const [admin, person] = [await own.staff(), await own.seller()]
    const id = await submittedIn('processing', { seller: person, staff: admin })
    const payout = async () => (await admin.get(`/api/admin/chat/cards?userId=${person.id}`)).json[0].payout
    const expectedOn = async () =>
      (await person.get(`/api/user/expected-payout-days?giftCardId=${id}`)).json[0].expectedOn
    const due = { state: 'due', waitsUntil: null, waitsForEmail: false, sentAt: null }
    expect(await payout()).toEqual({ ...due, waitsForEmail: true, expectedOn: null })
    await own.pool.query('update users set verified = true where id = $1', [person.id])
    expect(await payout()).toEqual({ ...due, expectedOn: await expectedOn() })

    await own.pool.query("update payouts set batchable_at = now() + interval '3 days'")
    const { waitsUntil, expectedOn: later } = await payout()
    expect(Date.parse(waitsUntil)).toBeGreaterThan(Date.now())
    expect(later).toBe(await expectedOn())
    await own.pool.query('update payouts set batchable_at = due_at')

    const { json: batch } = await admin.post('/api/admin/payout-batches', { paymentType: 'paypal' })
    expect(await payout()).toMatchObject({ state: 'batched', expectedOn: await expectedOn() })
    await own.pool.query(
      "update payout_batches set state = 'exported', expected_on = '2030-01-02' where id = $1",
      [batch.id],
    )
    await own.pool.query("update payouts set state = 'exported', sent_at = now() where batch_id = $1", [
      batch.id,
    ])
    expect(await payout()).toMatchObject({
      state: 'sent',
      sentAt: expect.any(String),
      expectedOn: '2030-01-02',
    })
  })
})

describe('each list of many threads', () => {
  const THREADS = 3000
  it('reads only what it shows, and counts without reading the threads', async () => {
    const { pool, db } = await createFilledDatabase({ submissions: 20, users: 1000, threads: THREADS })
    const { rows } = await pool.query('SELECT id FROM administrators ORDER BY id LIMIT 1')
    const staffId: string = rows[0].id
    const staff = { id: staffId, role: 'owner' } as const
    await pool.query(`
      UPDATE chat_threads SET
        closed_at = CASE WHEN last_message_number % 3 = 0 THEN now() END,
        snoozed_until = CASE last_message_number % 30 WHEN 1 THEN now() + interval '1 day' WHEN 2 THEN now() END,
        assigned_to = CASE WHEN last_message_number % 5 = 0 THEN '${staffId}'::uuid END`)
    await pool.query('VACUUM (ANALYZE) chat_threads')
    const pages = [undefined, ...threadLists].flatMap((show) =>
      (['newest', 'waiting'] as const).map((sort) => ({ show, sort, limit: 50 })),
    )
    for (const page of pages) {
      const { show } = page
      const [list] = await explain(pool, (db) => listThreads(db, staff, page))
      const [count] = await explain(pool, (db) => countThreads(db, staff, page))
      const found = await listThreads(db, staff, page)
      expect(found.length, `${show} is long enough to be read in part`).toBe(51)
      expect([show, list?.scanned, count?.scanned]).toEqual([show, [], []])
      // Each thread with its customer, last message and administrators.
      expect(list?.visited, `${show}, ${list?.indexes}`).toBeLessThan(show === 'snoozed' ? 600 : 400)
      expect(count?.pages, `${show}, ${count?.indexes}`).toBeLessThan(40)
    }
    const [counted] = await explain(pool, (db) => countLists(db, staffId))
    expect(counted?.scanned).toEqual([])
    const each = countedLists.map(async (show) => [show, await countThreads(db, staff, { show })] as const)
    expect(await countLists(db, staffId)).toEqual(Object.fromEntries(await Promise.all(each)))
    expect(await countLists(db, staffId)).toMatchObject({ open: MAX_COUNTED + 1 })
    expect(counted?.visited, counted?.indexes.join()).toBeLessThan(4 * (MAX_COUNTED + 2))
  })
})
