import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { verifyAuditLog } from '#server/features/audit/verify.ts'
import { verifyLedger } from '#server/features/books/verify.ts'
import { sendAccountDeletedMail } from '#server/features/people/sellers/security-emails.ts'
import { createMailer } from '#server/platform/mail/mailer.ts'
import { createTestApp, type TestApp } from '#test/app.ts'
import { contacted } from '#test/chat.ts'
import { sendMails } from '#test/mails.ts'
import { exportedBatch, payoutPaid, payoutReturned } from '#test/payouts.ts'
import { SELLER_PASSWORD } from '#test/people.ts'
import type { Person } from '#test/person.ts'
import { photoFiles, submit, submitted, submittedIn } from '#test/submissions.ts'
import { deletedTables, keptTables, ownTables } from './tables.ts'

let server: TestApp
let staff: Person
beforeAll(async () => {
  server = await createTestApp()
  staff = await server.staff()
})

const remove = (seller: Person, password = SELLER_PASSWORD) =>
  seller.send({ method: 'DELETE', url: '/api/user', payload: { password } })
const codesOf = ({ json }: { json: { errors: { code: string }[] } }) => json.errors.map(({ code }) => code)
const row = async (sql: string, ...values: unknown[]) => (await server.pool.query(sql, values)).rows[0]

/** Every column of every table as text. */
async function dump(): Promise<string> {
  const { rows } = await server.pool.query(
    "select tablename from pg_tables where schemaname = 'public' order by tablename",
  )
  const parts: string[] = []
  for (const { tablename } of rows) {
    const found = await server.pool.query(`select t::text as row from "${tablename}" t`)
    parts.push(`${tablename}:`, ...found.rows.map((one) => one.row))
  }
  return parts.join('\n').toLowerCase()
}

/** The text as it is, in hex, and in base64. */
const spellings = (text: string) => [
  text.toLowerCase(),
  Buffer.from(text).toString('hex'),
  Buffer.from(text).toString('base64').replace(/=+$/, '').slice(0, -1).toLowerCase(),
]

describe('deleting an account', () => {
  it('leaves nothing of a person in the database or the folder but the kept records', async () => {
    const folder = server.folder
    const mailer = createMailer({ dataDir: folder }, server.context.site)
    const seller = await server.seller('xqwzkusername')
    const person = { firstName: 'Xqwzkfirst', lastName: 'Xqwzklast', email: 'xqwzkmail@example.com' }
    await seller.put('/api/user/profile', person)
    await seller.put('/api/user/profile', { ...person, email: 'xqwzkother@example.com' })
    await server.pool.query(
      "update users set verified = true, phone_number = 'xqwzkphone', previous_email = 'xqwzkprevious@example.com' where id = $1",
      [seller.id],
    )
    const texts = {
      submissionNotes: 'xqwzknotes',
      paymentAccountName: 'xqwzkholder',
      paymentAccountInfo: 'xqwzkpay@example.com',
    }
    const numberOf = async (id: string) =>
      (await staff.post(`/api/admin/submissions/${id}/reveal`)).json.cardNumber
    const both = { seller, staff }
    const stocked = await submittedIn('completed', both, texts)
    const sold = await submittedIn('completed', both, texts)
    const returned = await submittedIn('processing', both, texts)
    await exportedBatch(server, [returned])
    await payoutPaid(server, returned, 'REF-1')
    await staff.patch(`/api/admin/inventory/${sold}`, {
      state: 'sold',
      channel: 'eBay',
      soldAt: new Date().toISOString(),
      proceeds: '95.00',
    })
    const gone = [
      await submittedIn('rejected', both, texts),
      await submittedIn('cancelled', both, texts),
      await submittedIn('completed', both, { ...texts, cardNumber: 'N/A' }),
    ].slice(0, 2)
    const asked = await submittedIn('under_review', both, texts)
    await seller.upload(`/api/user/gift-cards/${asked}/answer`, [{ name: 'message', value: 'xqwzkanswer' }])
    await staff.post(`/api/admin/submissions/${asked}/balance-checks`, {
      amount: '100',
      source: 'phone',
      note: 'xqwzkcheck',
    })
    await staff.post(`/api/admin/submissions/${asked}/acknowledge`, {
      code: 'unconfirmed_email',
      reason: 'xqwzkreason',
    })
    await staff.patch(`/api/admin/submissions/${asked}/status`, { status: 'completed' })
    await staff.post('/api/admin/notes', { userId: seller.id, text: 'xqwzknote' })
    await staff.post('/api/admin/holds', { userId: seller.id, reason: 'xqwzkhold' })
    const bank = { type: 'bank_transfer', routingNumber: '021000021', accountNumber: '99887766554' }
    await seller.post('/api/payment-methods', { ...bank, accountName: 'xqwzkbank' })
    await seller.post('/api/chat/messages', { message: 'xqwzkmessage' })
    await staff.post('/api/admin/chat/reply', { userId: seller.id, message: 'xqwzkreply' })
    await contacted(server, {
      ...person,
      email: 'xqwzkother@example.com',
      subject: 'xqwzksubject',
      message: 'xqwzkform and more',
    })
    const { id: transactionId } = await row('select id from transactions where gift_card_id = $1', stocked)
    await seller.post('/api/reviews', { transactionId, rating: 4, comment: 'xqwzkcomment' })
    await staff.get('/api/admin/transactions.csv?q=xqwzklast')
    await server.pool.query(
      "insert into audit_log (actor_kind, actor_id, actor_name, action, subject_kind) values ('seller', $1, 'xqwzkusername', 'payout.account_changed', 'payout')",
      [seller.id],
    )
    const number = await numberOf(stocked)
    for (const mail of await sendMails(server)) await mailer.sendMail(mail)
    expect(await dump()).toContain('xqwzk')

    expect(codesOf(await remove(seller))).toEqual(['open_hold'])
    await staff.send({ method: 'DELETE', url: '/api/admin/holds', payload: { userId: seller.id } })
    expect((await readdir(join(folder, 'mail'))).length).toBeGreaterThan(5)
    expect((await remove(seller, 'wrong')).status).toBe(400)
    const done = await remove(seller)
    expect([done.status, done.json]).toEqual([200, { message: 'Your account is deleted.' }])
    expect((await seller.get('/api/auth/me')).status).toBe(401)
    const last = await sendMails(server, {
      accountDeletedMail: (payload, id) => sendAccountDeletedMail(server.context, mailer, payload, id),
    })
    expect(last.map(({ to }) => to)).toEqual([])

    const left = await dump()
    const found = ['xqwzk', SELLER_PASSWORD, '99887766554', number, number.replaceAll(' ', '')].flatMap(
      spellings,
    )
    expect(found.filter((text) => left.includes(text))).toEqual([])
    expect(left.split('\n').filter((line) => line.includes('xqwzk'))).toEqual([])
    const eml = await Promise.all(
      (await readdir(join(folder, 'mail'))).map((name) => readFile(join(folder, 'mail', name), 'utf8')),
    )
    const toThem = eml.filter((text) => /xqwzk/i.test(text))
    expect(toThem).toHaveLength(1)
    expect(toThem[0]).toMatch(/Subject: Your account is deleted/)
    expect(await photoFiles(server)).toEqual([])

    expect(await numberOf(stocked)).toBe(number)
    expect((await staff.post(`/api/admin/submissions/${sold}/reveal`)).json.code).toBe('erased')
    for (const id of gone) expect((await staff.get(`/api/admin/submissions/${id}`)).status).toBe(404)
    const history = (await staff.get(`/api/admin/submissions/${asked}/history`)).json
    expect(history).toHaveLength(4)
    expect(await row('select reference, amount::int from payouts where gift_card_id = $1', returned)).toEqual(
      {
        reference: 'REF-1',
        amount: 9300,
      },
    )
    expect(await row('select rating, comment from reviews where reviewer_id = $1', seller.id)).toEqual({
      rating: 4,
      comment: null,
    })
    expect((await verifyLedger(server.db)).problems).toEqual([])
    expect(await verifyAuditLog(server.db)).toMatchObject({ intact: true })
    const { details } = await row("select details from audit_log where action = 'seller.deleted'")
    expect(details).toMatchObject({ by: 'seller', keptSubmissions: 5 })
    expect(details.redacted.length).toBeGreaterThanOrEqual(2)
  })

  it('leaves no row if no money moved', async () => {
    const seller = await server.seller()
    await submittedIn('rejected', { seller, staff })
    await submittedIn('cancelled', { seller, staff })
    expect((await remove(seller)).status).toBe(200)
    expect(await row('select 1 from users where id = $1', seller.id)).toBeUndefined()
    expect(await row('select 1 from gift_cards where seller_id = $1', seller.id)).toBeUndefined()
    expect(await verifyAuditLog(server.db)).toMatchObject({ intact: true })
  })

  it('lets nobody remove a name from the audit log unless a later entry says so', async () => {
    const copy = await createTestApp()
    await copy.pool.query(
      "insert into audit_log (actor_kind, actor_name, action, subject_kind) values ('seller', 'sally', 'payout.account_changed', 'payout')",
    )
    await expect(copy.pool.query("update audit_log set subject_id = 'x'")).rejects.toThrow('append-only')
    await copy.pool.query("update audit_log set actor_name = null where actor_kind = 'seller'")
    expect(await verifyAuditLog(copy.db)).toMatchObject({ intact: false, problem: 'does not match its hash' })
  })

  it('is refused with what is open', async () => {
    const seller = await server.seller()
    const id = await submitted(seller)
    const refused = await remove(seller)
    expect([refused.status, refused.json.code]).toEqual([409, 'open_business'])
    expect(refused.json.message).toMatch(/cannot be deleted yet/)
    expect(refused.json.errors).toMatchObject([
      { path: id, code: 'open_submission', params: { amount: '$93.00' } },
    ])
    await staff.patch(`/api/admin/submissions/${id}/status`, { status: 'processing' })
    expect(codesOf(await remove(seller))).toEqual(['open_payout'])
    await exportedBatch(server, [id])
    await payoutReturned(server, id)
    expect(codesOf(await remove(seller))).toEqual(['open_returned'])
    const bad = await server.seller()
    const card = await submittedIn('completed', { seller: bad, staff })
    await staff.patch(`/api/admin/inventory/${card}`, { state: 'bad' })
    expect(codesOf(await remove(bad))).toEqual(['open_receivable'])
  })

  it('finds a submission that is sent at the same time, or refuses that one', async () => {
    for (let i = 0; i < 5; i += 1) {
      const seller = await server.seller()
      const [sent, removed] = await Promise.all([submit(seller), remove(seller)])
      const open = await row('select count(*)::int from gift_cards where seller_id = $1', seller.id)
      expect([sent.status === 201, removed.status === 200, open.count]).toEqual(
        sent.status === 201 ? [true, false, 1] : [false, true, 0],
      )
    }
  })

  it('happens once, of two at the same time', async () => {
    const seller = await server.seller()
    await submittedIn('completed', { seller, staff })
    const answers = await Promise.all([remove(seller), remove(seller)])
    expect(answers.map(({ status }) => status).sort()).not.toContain(500)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  it('never loses a payout that is made at the same time', async () => {
    for (let i = 0; i < 5; i += 1) {
      const seller = await server.seller()
      const id = await submitted(seller)
      await seller.post(`/api/chat/messages`, { message: 'Hi' })
      const path = `/api/admin/submissions/${id}/status`
      const [moved, removed] = await Promise.all([staff.patch(path, { status: 'completed' }), remove(seller)])
      expect(moved.status).toBe(200)
      expect([200, 409]).toContain(removed.status)
    }
    expect((await verifyLedger(server.db)).problems).toEqual([])
  })

  it('says in operating.md what stays and why', async () => {
    const page = await readFile(join(import.meta.dirname, '../../../docs/operating.md'), 'utf8')
    const lines = Object.entries(keptTables).map(([table, why]) => `| \`${table}\` | ${why} |`)
    expect(page).toContain(lines.join('\n'))
  })

  it('treats every table that refers to a seller, a submission or a conversation', async () => {
    const { rows } = await server.pool.query(`
      with recursive refers (name) as (
        values ('users'::regclass), ('contact_sessions'::regclass)
        union select conrelid::regclass from pg_constraint join refers on confrelid = refers.name where contype = 'f'
      ), named as (
        select name::text from refers
        union select table_name from information_schema.columns
        where table_schema = 'public' and column_name in ('user_id', 'seller_id', 'reviewer_id', 'account_id', 'gift_card_id', 'email')
      ) select name from named order by name`)
    const treated = new Set([
      ...Object.keys(ownTables),
      ...deletedTables,
      ...Object.keys(keptTables),
      ...ofStaff,
    ])
    expect(rows.map(({ name }) => name).filter((name) => !treated.has(name))).toEqual([])
  })
})

/** Refer to sellers' rows or have such a column, but hold nothing of a seller. */
const ofStaff = ['administrators', 'report_moves', 'ledger_lines', 'staff_invitations']
