import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { referenceOf } from '#domain/reference.ts'
import { verifyAuditLog } from '#server/features/audit/verify.ts'
import { verifyLedger } from '#server/features/books/verify.ts'
import { unsubscribeToken } from '#server/features/notifications/settings.ts'
import { jobHandlers } from '#server/job-handlers.ts'
import { bytesOf, readArchive } from '#server/operator/backup/archive.ts'
import { backUp } from '#server/operator/backup/backup.ts'
import { createMailer } from '#server/platform/mail/mailer.ts'
import { createTestApp, type TestApp } from '#test/app.ts'
import { codeFrom, fromBase32 } from '#test/authenticator.ts'
import { contacted } from '#test/chat.ts'
import { sendMails } from '#test/mails.ts'
import { testBank } from '#test/nacha/bank.ts'
import { nachaReturns, type Report } from '#test/nacha/returns.ts'
import { addPasskey } from '#test/passkey.ts'
import { batchIn, exportedBatch, payoutPaid, payoutReturned } from '#test/payouts.ts'
import { SELLER_PASSWORD } from '#test/people.ts'
import type { Person, TestAnswer } from '#test/person.ts'
import { PushService } from '#test/push-service.ts'
import { field, image, photo, photoFiles, submit, submitted, submittedIn } from '#test/submissions.ts'
import { traceNumberOf } from '../payouts/files/nacha.ts'
import { deletedTables, erasedColumns, keptColumns, keptTables, ownTables } from './tables.ts'

let server: TestApp
let staff: Person
let pushes: PushService
beforeAll(async () => {
  pushes = await PushService.start()
  server = await createTestApp({ pushServices: [pushes.origin] })
  staff = await server.staff()
})

afterAll(() => pushes.close())

const remove = (seller: Person, password = SELLER_PASSWORD) =>
  seller.send({ method: 'DELETE', url: '/api/user', payload: { password } })
const codesOf = ({ json }: { json: { errors: { code: string }[] } }) => json.errors.map(({ code }) => code)
const row = async (sql: string, ...values: unknown[]) => (await server.pool.query(sql, values)).rows[0]

/** A line of kept data, and its source. */
interface Line {
  readonly source: string
  readonly text: string
}

/** All rows, a backup, `pg_dump` if its version fits the server, and all files in DATA_DIR. */
async function everythingKept(): Promise<Line[]> {
  const parts = [await allRows(), await backedUp(), await dumped(), await filesOf(server.folder)].flat()
  return parts.flatMap(({ source, text }) =>
    text
      .toLowerCase()
      .split('\n')
      .map((line) => ({ source, text: line })),
  )
}

/** Includes the tables that a backup leaves out. */
async function allRows(): Promise<Line[]> {
  const { rows } = await server.pool.query(
    "select tablename from pg_tables where schemaname = 'public' order by tablename",
  )
  const parts: Line[] = []
  for (const { tablename } of rows) {
    const found = await server.pool.query(`select t::text as row from "${tablename}" t`)
    parts.push(...found.rows.map((one) => ({ source: tablename, text: one.row })))
  }
  return parts
}

async function backedUp(): Promise<Line[]> {
  const folder = await mkdtemp(join(tmpdir(), 'unspent-backup-'))
  const file = join(folder, 'unspent.backup')
  const { db, context, url } = server
  const connection = { connectionString: url }
  await backUp({ file, keyFiles: {}, connection, db, photos: context.photos, say: () => {} })
  const entries: Line[] = []
  for await (const { name, content } of readArchive(file)) {
    const bytes = await bytesOf(content)
    const plain = name.endsWith('.gz') ? gunzipSync(bytes) : bytes
    entries.push({ source: `backup ${name}`, text: plain.toString('latin1') })
  }
  await rm(folder, { recursive: true })
  return entries
}

/** Nothing without a `pg_dump` of the server's version: it refuses newer servers, and the embedded one has none. */
async function dumped(): Promise<Line[]> {
  const run = promisify(execFile)
  const { server_version } = await row('show server_version')
  const { stdout: version } = await run('pg_dump', ['--version']).catch(() => ({ stdout: '' }))
  if (version.split(' ')[2]?.split('.')[0] !== server_version.split('.')[0]) return []
  return [{ source: 'pg_dump', text: (await run('pg_dump', [server.url], { maxBuffer: 2 ** 28 })).stdout }]
}

async function filesOf(folder: string): Promise<Line[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter((one) => one.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  return Promise.all(paths.map(async (path) => ({ source: path, text: await readFile(path, 'latin1') })))
}

/** The bytea columns that have any content, because a search cannot read sealed values. */
async function columnsOfBytes(): Promise<string[]> {
  const { rows } = await server.pool.query(`
    select table_name as table, column_name as column from information_schema.columns
    where table_schema = 'public' and data_type = 'bytea' order by table_name, column_name`)
  const filled: string[] = []
  for (const { table, column } of rows) {
    const { exists } = await row(`select exists (select from "${table}" where length("${column}") > 0)`)
    if (exists) filled.push(`${table}.${column}`)
  }
  return filled
}

/** The text itself, in hex, and in base64. */
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
    const saleId = randomUUID()
    const stocked = await submittedIn('completed', both, { ...texts, saleId })
    const sold = await submittedIn('completed', both, { ...texts, saleId })
    const returned = await submittedIn('processing', both, texts)
    await exportedBatch(server, [returned])
    await payoutPaid(server, returned, 'REF-1')
    await staff.patch(`/api/admin/inventory/${sold}`, {
      state: 'sold',
      channel: 'eBay',
      soldAt: new Date().toISOString(),
      proceeds: '95.00',
    })
    const gone = [await submittedIn('rejected', both, texts), await submittedIn('cancelled', both, texts)]
    await submittedIn('completed', both, { ...texts, cardNumber: 'N/A' })
    const offered = await submittedIn('offered', both, texts)
    await seller.post(`/api/user/gift-cards/${offered}/accept`, { amount: '74.40' })
    await staff.patch(`/api/admin/submissions/${offered}/status`, { status: 'completed' })
    const appealed = await submittedIn('rejected', both, texts)
    const appeal = await seller.upload(`/api/user/gift-cards/${appealed}/appeal`, [
      { name: 'message', value: 'xqwzkappeal' },
      image(await photo(30)),
    ])
    expect(appeal.status).toBe(200)
    const rejection = { status: 'rejected', reason: 'xqwzkagain' }
    await staff.patch(`/api/admin/submissions/${appealed}/status`, rejection)
    gone.push(appealed)
    await returnedByBank(seller)
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
    await staff.post('/api/admin/notes', { submissionId: stocked, text: 'xqwzknote2' })
    const [shown] = (await staff.get(`/api/admin/submissions/${stocked}`)).json.imageUrl
    await staff.get(shown.replace('/uploads/', '/api/admin/view/'))
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
      `insert into audit_log (actor_kind, actor_id, actor_name, action, subject_kind, subject_id, details) values
        ('seller', $1, 'xqwzkusername', 'payout.account_changed', 'payout', null, '{}'),
        ('staff', $1, 'ana', 'submission.moved', 'seller', $1::text, '{"reason": "xqwzkreason"}')`,
      [seller.id],
    )
    const number = await numberOf(stocked)
    const { device } = await addPasskey(seller, 'seller', SELLER_PASSWORD)
    const { secret } = (await seller.post('/api/user/second-factor', { password: SELLER_PASSWORD })).json
    const confirmed = await seller.post('/api/user/second-factor/confirm', { code: codeFrom(secret) })
    expect(confirmed.status).toBe(200)
    const browser = pushes.subscription(server.push.publicKey)
    expect((await seller.post('/api/user/push-subscriptions', browser)).status).toBe(201)
    await seller.put('/api/user/notifications', { reply: { mail: false } })
    expect((await seller.get('/api/user/export')).status).toBe(200)
    for (const mail of await sendMails(server)) await mailer.sendMail(mail)
    const secrets = [
      ...[SELLER_PASSWORD, '99887766554', '11223344556', number, number.replaceAll(' ', '')],
      ...[device.id.toString('base64url'), browser.endpoint, browser.keys.p256dh],
      ...[secret, fromBase32(secret).toString('latin1')],
    ]
    const found = ['xqwzk', ...secrets].flatMap(spellings)
    const findIn = async () => {
      const lines = (await everythingKept()).filter(({ text }) => found.some((one) => text.includes(one)))
      return [...new Set(lines.map(({ source }) => source))]
    }
    expect(await findIn()).toEqual(
      expect.arrayContaining([
        ...['audit_log', 'chat_messages', 'contact_sessions', 'gift_cards', 'jobs', 'passkeys', 'users'],
        ...[
          'push_subscriptions',
          'reviews',
          'backup tables/users.copy.gz',
          'backup tables/audit_log.copy.gz',
        ],
      ]),
    )

    expect(codesOf(await remove(seller))).toEqual(['open_hold'])
    await staff.send({ method: 'DELETE', url: '/api/admin/holds', payload: { userId: seller.id } })
    expect((await readdir(join(folder, 'mail'))).length).toBeGreaterThan(5)
    expect((await remove(seller, 'wrong')).status).toBe(400)
    const done = await remove(seller)
    expect([done.status, done.json]).toEqual([200, { message: 'Your account has been deleted.' }])
    expect((await seller.get('/api/auth/me')).status).toBe(401)
    const last = await sendMails(server, {
      accountDeletedMail: jobHandlers(server.context, mailer, server.push).accountDeletedMail,
    })
    expect(last.map(({ to }) => to)).toEqual([])

    const left = await findIn()
    expect(left).toHaveLength(1)
    expect(await readFile(left[0] ?? '', 'utf8')).toMatch(/Subject: Your account has been deleted/)
    expect(await columnsOfBytes()).toEqual([
      ...['audit_head.hash', 'audit_log.hash', 'audit_log.previous_hash'],
      // Of the cards in stock, and what recognizes a card.
      ...['card_number', 'card_number_index', 'data_key', 'security_code'].map(
        (name) => `gift_cards.${name}`,
      ),
      ...['payout_batches.data_key', 'payout_batches.sealed_file'],
    ])
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
    expect(details).toMatchObject({ by: 'seller', keptSubmissions: 7 })
    const some = expect.arrayContaining([expect.any(Number)])
    expect(details.redacted).toEqual({ actor_name: some, reason: some, q: some })
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
    expect(await verifyAuditLog(copy.db)).toMatchObject({
      intact: false,
      problem: 'lacks a name or a text, and no later deletion of a seller removed it',
    })
  })

  it('removes a search from the audit log only with an account that it found then', async () => {
    const search = 'wanted@example.com'
    const searches = async () => {
      const { rows } = await server.pool.query(
        "select details from audit_log where action = 'transactions.exported' and details->'sellers' ? $1 order by id",
        [wanted.id],
      )
      return rows.map(({ details }) => details)
    }
    const wanted = await server.seller('wanted')
    const early = await server.seller('early')
    await staff.get(`/api/admin/transactions.csv?q=${search}`)
    const late = await server.seller('late')
    for (const throwaway of [early, late]) {
      const email = `${throwaway.id}@example.com`
      await throwaway.put('/api/user/profile', { firstName: 'x', lastName: search, email })
      expect((await remove(throwaway)).status).toBe(200)
    }
    expect(await searches()).toEqual([{ q: search, sellers: [wanted.id] }])
    expect((await remove(wanted)).status).toBe(200)
    expect(await searches()).toEqual([{ sellers: [wanted.id] }])
  })

  it('keeps the sellers that a search found, even if somebody with such a name deletes the account', async () => {
    const wanted = await server.seller('xsearched')
    const throwaway = await server.seller('xsearched2')
    await staff.get('/api/admin/transactions.csv?q=xsearched')
    expect((await remove(throwaway)).status).toBe(200)
    const { details } = await row(
      "select details from audit_log where action = 'transactions.exported' order by id desc limit 1",
    )
    expect(details).toEqual({ sellers: [wanted.id, throwaway.id].sort() })
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

  it.each(Object.entries(inFlight))('leaves nothing of %s in flight', async (_, act) => {
    const seller = await server.seller()
    const giftCardId = await submittedIn('completed', { seller, staff })
    const { id: transactionId } = await row('select id from transactions where gift_card_id = $1', giftCardId)
    const account = (await seller.get('/api/auth/me')).json.user
    // Keeps the account locked until both wait: the deletion, and what the seller's session was still allowed to do.
    const lock = await server.pool.connect()
    await lock.query('begin')
    await lock.query('select from users where id = $1 for update', [seller.id])
    const removing = remove(seller)
    await expect.poll(waiting).toBe(1)
    const acting = act({ seller, transactionId, giftCardId, email: account.email })
    await Promise.race([acting, expect.poll(waiting).toBe(2)])
    await lock.query('rollback')
    lock.release()
    const [removed, acted] = await Promise.all([removing, acting])
    expect(removed.status).toBe(200)
    expect([200, 201, 401, 404]).toContain(acted.status)
    const naming = (await allRows()).filter(
      ({ text }) => text.includes(seller.id) || text.includes('xqwzkrace'),
    )
    const allowed = new Set([...Object.keys(keptTables), 'audit_log', 'ledger_lines'])
    expect(naming.filter(({ source }) => !allowed.has(source))).toEqual([])
    expect(naming.filter(({ text }) => text.includes('xqwzkrace'))).toEqual([])
  })

  it('leaves a payout that comes back later to staff, who pay it another way or cancel it', async () => {
    const { number: before } = await row('select coalesce(max(number), 0)::int as number from payouts')
    const seller = await server.seller()
    const bank = {
      paymentType: 'bank_transfer',
      paymentRoutingNumber: '021000021',
      paymentAccountNumber: '98765432',
    }
    const kept = await submittedIn('processing', { seller, staff }, bank)
    const failed = await submittedIn('processing', { seller, staff }, bank)
    const ids = [kept, failed]
    await exportedBatch(server, ids)
    for (const id of ids) await payoutPaid(server, id, 'REF')
    expect((await remove(seller)).status).toBe(200)
    await sendMails(server)
    const reports = ids.map((id, index) => ({
      trace: traceNumberOf(before + 1 + index, testBank),
      reference: referenceOf(id),
      code: 'R02',
    }))
    expect((await importReturns(reports)).json).toEqual({ matched: 2, already: 0, unmatched: [] })
    expect(await sendMails(server)).toEqual([])
    const listed = (await staff.get('/api/admin/payouts?state=returned')).json.filter(
      ({ sellerId }: { sellerId: string }) => sellerId === seller.id,
    )
    expect(listed).toHaveLength(2)
    expect(listed[0].returnReason).toMatch(
      /^The bank account is closed\. The seller has deleted the account\./,
    )
    expect((await verifyLedger(server.db)).problems).toEqual([])
    const path = (id: string) => `/api/admin/submissions/${id}/status`
    const paid = await staff.patch(path(kept), { status: 'completed', reference: 'State of Delaware' })
    expect([paid.status, paid.json.status]).toEqual([200, 'completed'])
    const cancelled = await staff.patch(path(failed), { status: 'failed', reason: 'Nobody to pay' })
    expect([cancelled.status, cancelled.json.status]).toEqual([200, 'failed'])
    expect((await verifyLedger(server.db)).problems).toEqual([])
  })

  it('leaves the mail of an address that somebody else owns, even if the seller once entered it', async () => {
    const [stranger, email] = [await server.seller(), 'owner-of-mail@example.com']
    const enter = (address: string) =>
      stranger.put('/api/user/profile', { firstName: 'S', lastName: 'S', email: address })
    await enter(email)
    await sendMails(server)
    const gone = await server.seller('gone-before')
    await enter('gone-before2@example.com')
    await sendMails(server)
    const owner = await server.seller('owner-of-mail')
    const changed = { currentPassword: SELLER_PASSWORD, newPassword: 'another good password' }
    expect((await owner.put('/api/user/password', changed)).status).toBe(200)
    await server.visitor().post('/api/auth/forgot-password', { email })
    await gone.put('/api/user/profile', { firstName: 'G', lastName: 'G', email: 'gone-before2@example.com' })
    expect((await remove(gone)).status).toBe(200)
    const { email: own } = (await stranger.get('/api/auth/me')).json.user
    expect((await remove(stranger)).status).toBe(200)
    const last = "select payload from jobs where kind = 'accountDeletedMail' and payload->>'to' = $1"
    expect((await row(last, own)).payload.addresses).toEqual(expect.not.arrayContaining([email]))
    const sent = await sendMails(server)
    const to = (address: string) => sent.filter((mail) => mail.to === address).map(({ subject }) => subject)
    expect(to(email)).toEqual(expect.arrayContaining(['Your password was changed', 'Set a new password']))
    expect(to('gone-before2@example.com')).toContain('Your account has been deleted')
  })

  it('happens once, even if it is requested twice at the same time', async () => {
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

  it.each(Object.keys(keptColumns) as (keyof typeof keptColumns)[])(
    'treats every column of %s',
    async (table) => {
      const { rows } = await server.pool.query(
        "select column_name as name from information_schema.columns where table_schema = 'public' and table_name = $1",
        [table],
      )
      const treated = [...keptColumns[table], ...erasedColumns[table]]
      expect(rows.map(({ name }) => name).sort()).toEqual(treated.sort())
    },
  )

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

interface Scene {
  readonly seller: Person
  readonly email: string
  readonly giftCardId: string
  readonly transactionId: string
}

/** What may be on its way when an account is deleted. */
const inFlight: Record<string, (scene: Scene) => Promise<TestAnswer>> = {
  'a review': ({ seller, transactionId }) =>
    seller.post('/api/reviews', { transactionId, rating: 4, comment: 'xqwzkrace' }),
  'a setting': ({ seller }) => seller.put('/api/user/notifications', { reply: { mail: false } }),
  'a click on the link that stops mails': ({ seller }) => {
    const token = unsubscribeToken(server.context.keys, { userId: seller.id, kind: 'reply' })
    return server.visitor().post(`/unsubscribe?token=${token}`)
  },
  'another language': ({ seller }) => seller.put('/api/user/locale', { locale: 'es' }),
  'a chat message': ({ seller }) => seller.post('/api/chat/messages', { message: 'xqwzkrace' }),
  'a photo in the chat': async ({ seller }) =>
    seller.upload('/api/chat/messages', [field('message', 'xqwzkrace'), image(await photo())]),
  'a push subscription': ({ seller }) =>
    seller.post('/api/user/push-subscriptions', pushes.subscription(server.push.publicKey)),
  'a payment method': ({ seller }) =>
    seller.post('/api/payment-methods', {
      type: 'paypal',
      accountName: 'xqwzkrace',
      accountInfo: 'xqwzkrace@example.com',
    }),
  'a submission': ({ seller }) => submit(seller, { submissionNotes: 'xqwzkrace' }),
  'a sign-in': ({ email }) => server.visitor().post('/api/auth/login', { email, password: SELLER_PASSWORD }),
  'a forgotten password': ({ email }) => server.visitor().post('/api/auth/forgot-password', { email }),
  'a download': ({ seller }) => seller.get('/api/user/export'),
  'a reply': ({ seller }) => staff.post('/api/admin/chat/reply', { userId: seller.id, message: 'xqwzkrace' }),
  'a note about the seller': ({ seller }) =>
    staff.post('/api/admin/notes', { userId: seller.id, text: 'xqwzkrace' }),
  'a note about a card': ({ giftCardId }) =>
    staff.post('/api/admin/notes', { submissionId: giftCardId, text: 'xqwzkrace' }),
  'a hold': ({ seller }) => staff.post('/api/admin/holds', { userId: seller.id, reason: 'xqwzkrace' }),
  'another state': ({ seller }) =>
    staff.patch(`/api/admin/seller?id=${seller.id}`, { state: 'blocked', reason: 'xqwzkrace' }),
}

/** How many transactions wait for a lock. */
async function waiting(): Promise<number> {
  const { count } = await row(
    "select count(*)::int from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  )
  return count
}

/** Refer to sellers' rows or have such a column, but hold nothing of a seller. */
const ofStaff = ['administrators', 'all_decisions', 'decisions', 'ledger_lines', 'staff_invitations']

/** A payout that left in a file, was corrected and returned by the bank, and was then paid to another account. */
async function returnedByBank(seller: Person): Promise<void> {
  const account = {
    paymentType: 'bank_transfer',
    paymentAccountName: 'Xqwzkholder',
    paymentRoutingNumber: '021000021',
    paymentAccountNumber: '11223344556',
  }
  const batch = await batchIn('exported', server, seller, staff, account)
  const payout = await row('select number::int, gift_card_id as id from payouts where batch_id = $1', batch)
  const trace = traceNumberOf(payout.number, testBank)
  const entry = { trace, reference: referenceOf(payout.id), name: 'XQWZKHOLDER' }
  const reports = [
    { ...entry, code: 'C04', correction: 'XQWZKCORRECTED' },
    { ...entry, code: 'R02' },
  ]
  expect((await importReturns(reports)).json).toEqual({ matched: 2, already: 0, unmatched: [] })
  const other = { type: 'paypal', accountName: 'xqwzkholder', accountInfo: 'xqwzkpaypal@example.com' }
  expect((await seller.post(`/api/user/gift-cards/${payout.id}/payout-account`, other)).status).toBe(200)
  const done = { status: 'completed', reference: 'PP-77' }
  expect((await staff.patch(`/api/admin/submissions/${payout.id}/status`, done)).status).toBe(200)
}

const importReturns = (reports: readonly Report[]) =>
  staff.upload('/api/admin/payout-returns', [
    {
      name: 'file',
      filename: 'returns.txt',
      type: 'text/plain',
      bytes: Buffer.from(nachaReturns(reports)),
    },
  ])
