import { beforeAll, expect, it } from 'vitest'
import { referenceOf } from '#domain/reference.ts'
import { traceNumberOf } from '#server/features/payouts/files/nacha.ts'
import { createTestApp, type TestApp } from '../app.ts'
import { testBank } from '../nacha/bank.ts'
import { nachaReturns } from '../nacha/returns.ts'
import { batchIn, exportedBatch, latestPayoutOf } from '../payouts.ts'
import { ADMIN_PASSWORD } from '../people.ts'
import type { Person } from '../person.ts'
import { Random } from '../random.ts'
import { field, photo, submit, submittedIn } from '../submissions.ts'
import { withoutRandom } from '../without-random.ts'
import { PATIENCE, report, times } from './size.ts'

/** A ciphertext, and whether its owner can still decrypt what it belongs to. */
interface Sealed {
  readonly what: string
  readonly read: () => Promise<Buffer>
  readonly write: (bytes: Buffer) => Promise<unknown>
  readonly opens: () => Promise<boolean>
}

const CARDS = times({ small: 3, long: 20 })
let server: TestApp
let staff: Person
const all: Sealed[] = []

beforeAll(async () => {
  server = await createTestApp({ site: { taxFormThreshold: 0 } })
  staff = await server.staff()
  // Simulates an attacker with full rights in the database.
  await server.pool.query('alter table status_history disable trigger user')
  for (const table of ['notes', 'payout_batches', 'tax_details']) {
    await server.pool.query(`alter table ${table} disable trigger user`)
  }
  for (let card = 0; card < CARDS; card++) await addSubmission(await server.seller(), card)
  const [ana, ben] = [await server.seller(), await server.seller()]
  for (const owner of [ana, ana, ben]) await addPaymentMethod(owner)
  for (const name of ['ana', 'ben']) await addSecondFactor(await server.staff(name))
  for (const userId of [ana.id, ben.id]) await addNote(userId)
  for (const owner of [ana, ben]) await addBatch(owner)
  for (const owner of [ana, ben]) await addCorrection(owner)
  for (const name of ['ana', 'ben']) await addCodeExport(ana, await server.staff(name))
  for (const owner of [ana, ben]) await addTaxDetails(owner)
  for (const userId of [ana.id, ben.id]) await addHold(userId)
}, PATIENCE)

function cell(
  table: string,
  key: string,
  id: string,
  column: string,
): Pick<Sealed, 'what' | 'read' | 'write'> {
  return {
    what: `${table}.${column} of ${id}`,
    read: async () =>
      (await server.pool.query(`select ${column} as bytes from ${table} where ${key} = $1`, [id])).rows[0]
        .bytes,
    write: (bytes) => server.pool.query(`update ${table} set ${column} = $2 where ${key} = $1`, [id, bytes]),
  }
}

/** All submissions are the same except for their numbers. */
async function addSubmission(seller: Person, number: number): Promise<void> {
  const bank = {
    paymentType: 'bank_transfer',
    paymentRoutingNumber: '021000021',
    paymentAccountNumber: `98765${number}`,
  }
  const answer = await submit(
    seller,
    { ...bank, cardNumber: `6006 4930 ${number}` },
    { photos: [await photo()] },
  )
  const { id, images } = answer.json.giftCard
  const opens = async () => (await staff.post(`/api/admin/submissions/${id}/reveal`)).status === 200
  const account = ['payment_account_info', 'payment_routing_number', 'payment_account_number']
  for (const column of ['data_key', 'card_number', 'security_code', ...account]) {
    all.push({ ...cell('gift_cards', 'id', id, column), opens })
  }
  const { rows } = await server.pool.query(
    'select name, thumbnail_name from photos where gift_card_id = $1',
    [id],
  )
  await addTexts(id, seller)
  for (const [name, size] of [
    [rows[0].name, 'full'],
    [rows[0].thumbnail_name, 'thumbnail'],
  ]) {
    all.push({
      what: `photo ${name}`,
      read: async () => (await server.context.photos.get(name)) ?? Buffer.alloc(0),
      write: (bytes) => server.context.photos.put(name, bytes),
      opens: async () => (await seller.get(`${images[0]}?size=${size}`)).status === 200,
    })
  }
}

/** A question and its answer, both encrypted with the data key of the submission. */
async function addTexts(id: string, seller: Person): Promise<void> {
  await staff.patch(`/api/admin/submissions/${id}/status`, { status: 'under_review', reason: 'Which shop?' })
  await seller.upload(`/api/user/gift-cards/${id}/answer`, [field('message', 'The corner shop')])
  for (const [version, text] of [
    [2, 'Which shop?'],
    [3, 'The corner shop'],
  ] as const) {
    const where = `gift_card_id = '${id}' and version = ${version}`
    all.push({
      what: `text ${version} of ${id}`,
      read: async () =>
        (await server.pool.query(`select sealed_reason as bytes from status_history where ${where}`)).rows[0]
          .bytes,
      write: (bytes) =>
        server.pool.query(`update status_history set sealed_reason = $1 where ${where}`, [bytes]),
      opens: async () =>
        (await staff.get(`/api/admin/submissions/${id}/history`)).json[version - 1].reason === text,
    })
  }
}

async function addPaymentMethod(owner: Person): Promise<void> {
  const bank = { type: 'bank_transfer', accountName: 'S', routingNumber: '021000021', accountNumber: '98765' }
  const { id } = (await owner.post('/api/payment-methods', bank)).json
  const opens = async () =>
    (await owner.get('/api/payment-methods')).json.find((method: { id: string }) => method.id === id).isActive
  for (const column of ['data_key', 'account_info', 'routing_number', 'account_number']) {
    all.push({ ...cell('payment_methods', 'id', id, column), opens })
  }
}

async function addSecondFactor(administrator: Person): Promise<void> {
  await administrator.post('/api/admin/totp/start', { password: ADMIN_PASSWORD })
  const opens = async () => {
    await server.pool.query('update second_factors set failures = 0')
    // If the secret can be decrypted, the code is checked and found invalid.
    return (await administrator.post('/api/admin/totp/confirm', { code: 'wrong' })).json.code === 'invalid'
  }
  for (const column of ['data_key', 'secret']) {
    all.push({ ...cell('second_factors', 'account_id', administrator.id, column), opens })
  }
}

async function addNote(userId: string): Promise<void> {
  const text = `A note about ${userId}`
  const { id } = (await staff.post('/api/admin/notes', { userId, text })).json
  const opens = async () => (await staff.get(`/api/admin/notes?userId=${userId}`)).json[0].text === text
  for (const column of ['data_key', 'text']) all.push({ ...cell('notes', 'id', id, column), opens })
}

async function addBatch(owner: Person): Promise<void> {
  const id = await batchIn('exported', server, owner, staff)
  const file = () => staff.get(`/api/admin/payout-batches/${id}/file`)
  const { text } = await file()
  const opens = async () => (await file()).text === text
  for (const column of ['data_key', 'sealed_file'])
    all.push({ ...cell('payout_batches', 'id', id, column), opens })
}

/** What a bank reported about the account of a payout, sealed under the data key of the submission. */
async function addCorrection(owner: Person): Promise<void> {
  const bank = {
    paymentType: 'bank_transfer',
    paymentRoutingNumber: '021000021',
    // Another one than that of the payment methods, which could no longer be used.
    paymentAccountNumber: '98764',
  }
  const giftCardId = await submittedIn('processing', { seller: owner, staff }, bank)
  await exportedBatch(server, [giftCardId])
  const { id, number } = await latestPayoutOf(server, giftCardId)
  const correction = `1112223${number}`
  const entry = { trace: traceNumberOf(number, testBank), reference: referenceOf(giftCardId) }
  const report = { ...entry, code: 'C01', correction }
  await staff.upload('/api/admin/payout-returns', [
    { name: 'file', filename: 'r.ach', type: 'text/plain', bytes: Buffer.from(nachaReturns([report])) },
  ])
  const opens = async () =>
    (await staff.post(`/api/admin/payouts/${id}/reveal`)).json.correction === correction
  const { rows } = await server.pool.query('select id from payout_results where payout_id = $1', [id])
  all.push({ ...cell('payout_results', 'id', rows[0].id, 'sealed_correction'), opens })
}

async function addHold(userId: string): Promise<void> {
  const reason = `A dispute with ${userId}`
  const { id } = (await staff.post('/api/admin/holds', { userId, reason })).json
  const opens = async () => (await staff.get(`/api/admin/holds?userId=${userId}`)).json[0].reason === reason
  for (const column of ['data_key', 'sealed_reason']) all.push({ ...cell('holds', 'id', id, column), opens })
}

/** A file of card numbers, which opens for its administrator only. */
async function addCodeExport(owner: Person, administrator: Person): Promise<void> {
  const { id } = (await submit(owner)).json.giftCard
  await staff.patch(`/api/admin/submissions/${id}/status`, { status: 'completed' })
  const body = { ids: [id], password: ADMIN_PASSWORD }
  const { headers } = await administrator.post('/api/admin/inventory/export', body)
  const path = String(headers['content-location'])
  const opens = async () => (await administrator.post(path, { password: ADMIN_PASSWORD })).status === 200
  for (const column of ['data_key', 'sealed_file'])
    all.push({ ...cell('code_exports', 'id', path.split('/').at(-1) ?? '', column), opens })
}

async function addTaxDetails(owner: Person): Promise<void> {
  await submittedIn('completed', { seller: owner, staff })
  const tin = new Random(all.length).digits(8).padStart(9, '1')
  const address = { name: 'S', street: '1 A St', city: 'B', state: 'NY', zip: '10001' }
  await owner.put('/api/user/tax-details', { ...address, tin })
  const year = new Date().getUTCFullYear()
  const opens = async () => {
    const file = await staff.post('/api/admin/reports/tax-forms', { year, password: ADMIN_PASSWORD })
    return file.text.includes(tin)
  }
  for (const column of ['data_key', 'sealed_address', 'sealed_tin']) {
    all.push({ ...cell('tax_details', 'user_id', owner.id, column), opens })
  }
}

async function swapCiphertexts(one: Sealed, other: Sealed): Promise<void> {
  const [ofOne, ofOther] = [await one.read(), await other.read()]
  await one.write(ofOther)
  await other.write(ofOne)
}

it('swapped ciphertexts cannot be decrypted', { timeout: PATIENCE }, async () => {
  for (const sealed of all) expect(await sealed.opens(), sealed.what).toBe(true)
  const swaps = times({ small: 40, long: 1000 })
  const random = new Random(20261121)
  const any = () => random.pick(all)
  const opened: string[] = []
  for (let swap = 0; swap < swaps; swap++) {
    const one = any()
    let other = any()
    while (other === one) other = any()
    await swapCiphertexts(one, other)
    for (const sealed of [one, other]) if (await sealed.opens()) opened.push(`${one.what} ↔ ${other.what}`)
    await swapCiphertexts(one, other)
  }
  expect(opened).toEqual([])
  // Everything is swapped back and can be decrypted, so only the swaps prevented it.
  for (const sealed of all) expect(await sealed.opens(), sealed.what).toBe(true)
  report(`${swaps} ciphertexts swapped, ${opened.length} decrypted`)
})

it('a row with all ciphertexts and the key of another row cannot be decrypted', {
  timeout: PATIENCE,
}, async () => {
  const { rows } = await server.pool.query('select id from gift_cards order by id')
  const columns = `data_key, card_number, security_code, payment_account_info, payment_routing_number,
    payment_account_number`
  await server.pool.query('create table kept as select * from gift_cards')
  for (const [index, { id }] of rows.entries()) {
    await server.pool.query(
      `update gift_cards set (${columns}) = (select ${columns} from kept where id = $2) where id = $1`,
      [id, rows[(index + 1) % rows.length].id],
    )
    const answer = await staff.post(`/api/admin/submissions/${id}/reveal`)
    expect([answer.status, answer.json.code]).toEqual([500, 'unreadable'])
    expect(withoutRandom(answer.text)).not.toMatch(/6006|98765|021000021/)
  }
})

it('a photo attached to another submission cannot be decrypted', async () => {
  const seller = await server.seller()
  const [mine, others] = [
    (await submit(seller)).json.giftCard,
    (await submit(await server.seller())).json.giftCard,
  ]
  const name = others.images[0].split('/').at(-1).replace('.jpg', '')
  await server.pool.query('update photos set gift_card_id = $1, position = 9 where name = $2', [
    mine.id,
    name,
  ])
  const answer = await seller.get(others.images[0])
  expect([answer.status, answer.json.code]).toEqual([500, 'unreadable'])
})

it('an undecryptable payout account is masked, and everything else still shows', async () => {
  const seller = await server.seller()
  const [broken, whole] = [(await submit(seller)).json.giftCard, (await submit(seller)).json.giftCard]
  await server.pool.query('update gift_cards set payment_account_info = card_number where id = $1', [
    broken.id,
  ])
  const answer = await seller.get('/api/my-transactions')
  expect(answer.status).toBe(200)
  const shown = new Map(
    answer.json.map((row: { giftCardId: string; paymentAccountInfo: string }) => [
      row.giftCardId,
      row.paymentAccountInfo,
    ]),
  )
  expect(shown.get(whole.id)).toBe('sally@example.com')
  expect(shown.get(broken.id)).not.toMatch(/sally@|6006/)
  expect((await seller.get('/api/user/gift-cards')).json).toHaveLength(2)
})
