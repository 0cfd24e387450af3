import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { WireBrand } from '#contract/brands.ts'
import type { StockItem } from '#contract/inventory.ts'
import type { WirePayout } from '#contract/payouts.ts'
import type { StaffSubmission } from '#contract/staff-submissions.ts'
import type { HistoryEntry, SellerSubmission } from '#contract/submissions.ts'
import { prepareFolder } from '#demo/folder.ts'
import { verifyLedger } from '#server/features/books/verify.ts'
import { findRunning } from '#server/platform/database/embedded.ts'
import { createDatabase, createPool } from '#server/platform/database/pool.ts'
import { importFlags } from '../scripts/become.mjs'
import { instantSettings } from '../scripts/demo-settings.mjs'
import { newSeller } from './people.ts'
import { accepted, Person } from './person.ts'
import { remote } from './remote.ts'
import { newDataDir, ServerProcess } from './server-process.ts'
import { photo, submitted } from './submissions.ts'

const DEMO = join(import.meta.dirname, '../demo')
const MAKE = join(DEMO, 'make.ts')

let around: string

beforeAll(async () => {
  around = await newDataDir()
})
afterAll(() => rm(around, { recursive: true, force: true }))

it('makes a demo whose people can sign in with the printed passwords', async () => {
  const folder = join(around, 'demo')
  const env = { ...process.env, PORT: '0' }
  await promisify(execFile)(process.execPath, [...importFlags, MAKE, '--data', folder, '--cards', '30'], {
    env,
  })
  expect(await readdir(around)).toEqual(['demo'])
  expect(await prepareFolder(folder, false)).toBe(false)

  const services = ['balance-service', 'paypal'].map((name) => `--import ${join(DEMO, name)}.ts`)
  const server = ServerProcess.start({
    ...{ DATA_DIR: folder, WEBHOOKS_ALLOW_PRIVATE: 'on', NODE_OPTIONS: services.join(' ') },
    ...instantSettings,
  })
  try {
    const url = await server.ready()
    expect(server.output).toContain('This is a demo')
    const [, email = '', sellersPassword = ''] = /Seller: (\S+), password (\S+),/.exec(server.output) ?? []
    const [, username = '', staffsPassword = ''] = /Staff: (\S+), password (\S+),/.exec(server.output) ?? []

    const seller = new Person(remote(url))
    const signIn = await seller.post('/api/auth/login', { email, password: sellersPassword })
    expect([signIn.status, signIn.json.user.verified]).toEqual([200, true])
    expect((await seller.get('/api/user/gift-cards')).json[0]).toMatchObject({ brand: 'starbucks' })
    expect(ageInDays(signIn.json.user.createdAt)).toBeCloseTo(41, 0)

    const staff = new Person(remote(url))
    expect((await staff.post('/api/admin/login', { username, password: staffsPassword })).status).toBe(200)
    const submissions = (await staff.get('/api/admin/submissions')).json
    expect(submissions).toHaveLength(30)
    await expectEverySituation(staff, submissions)
    await expectBooks(staff, seller)
    for (const [role, colleague] of [
      ['manager', 'maya'],
      ['reviewer', 'jonas'],
      ['payer', 'petra'],
    ]) {
      expect(server.output).toContain(`A ${role}: ${colleague}, with the same password as admin`)
      const person = new Person(remote(url))
      const me = await person.post('/api/admin/login', { username: colleague, password: staffsPassword })
      expect([me.status, me.json.role]).toEqual([200, role])
    }
    const photo = await staff.get(`/api/admin/view/${submissions[0].images[0].replace('/uploads/', '')}`)
    expect(photo.headers['content-type']).toBe('image/jpeg')

    const page = await seller.get('/', { accept: 'text/html' })
    // Only if the web app was built.
    if (page.status === 200) expect(page.text).toContain('<body><aside class="demo-line"')
    // The shifted clock is gone: new rows have the current time.
    const newcomer = await seller.post('/api/auth/register', newSeller())
    expect(ageInDays(newcomer.json.user.createdAt)).toBeCloseTo(0, 1)
    const audit = (await staff.get('/api/admin/audit?action=admin.created')).json
    expect(audit.map(({ at }: { at: string }) => Math.round(ageInDays(at)))).toContain(42)
    const [, diego = ''] = /policy approves: (\S+),/.exec(server.output) ?? []
    await expectInstantPayment(folder, await signedIn(url, diego, sellersPassword), staff)
    await expect(prepareFolder(folder, true)).rejects.toThrow('A server is using')
  } finally {
    server.kill('SIGTERM')
    await server.ended()
  }
  // The next start knows what PayPal has.
  expect(JSON.parse(await readFile(join(folder, 'paypal.json'), 'utf8'))).toMatchObject([
    { status: 'SUCCESS' },
  ])
}, 480_000)

it('makes a demo of a shop whose first batch is a worksheet', async () => {
  const folder = join(around, 'second-brand')
  const env = { ...process.env, PORT: '0', BRAND_DIR: join(import.meta.dirname, '../demo/second-brand') }
  const made = promisify(execFile)(
    process.execPath,
    [...importFlags, MAKE, '--data', folder, '--cards', '30'],
    { env },
  )
  expect((await made).stdout).toMatch(/(\d+) of \1 events done\n$/)
}, 480_000)

it('refuses a folder that contains anything else', async () => {
  const folder = join(around, 'real')
  await mkdir(folder)
  await writeFile(join(folder, 'keys'), 'k1:…')
  for (const fresh of [false, true])
    await expect(prepareFolder(folder, fresh)).rejects.toThrow(`${folder} contains data that is not a demo`)
  expect(await readdir(folder)).toEqual(['keys'])
})

/** What a reviewer can meet: offers, appeals, a card that was bought before, a seller on hold, checked balances. */
async function expectEverySituation(staff: Person, submissions: StaffSubmission[]): Promise<void> {
  const movesOf = async ({ id }: StaffSubmission): Promise<string> => {
    const history: HistoryEntry[] = (await staff.get(`/api/admin/submissions/${id}/history`)).json
    return history.map(({ move }) => move).join(' ')
  }
  const histories = await Promise.all(submissions.map(movesOf))
  expect(histories).toEqual(
    expect.arrayContaining([
      'submit offer',
      'submit offer accept',
      'submit offer decline',
      'submit reject appeal',
    ]),
  )
  const views = await Promise.all(
    submissions.map(
      async ({ id }): Promise<StaffSubmission> => (await staff.get(`/api/admin/submissions/${id}`)).json,
    ),
  )
  expect(views.flatMap(({ risks }) => risks?.filter(({ blocking }) => blocking) ?? [])).toMatchObject([
    { code: 'low_balance', acknowledged: null },
    { code: 'same_number_completed', acknowledged: null },
  ])
  // Drawn cards must not warn of each other.
  expect(JSON.stringify(views)).not.toContain('similar_photo')
  expect(views.filter(({ balanceCheck }) => balanceCheck)).toHaveLength(4)
  expect(views.filter(({ balanceCheck }) => balanceCheck?.source === 'connector')).toMatchObject([
    { brand: 'starbucks', balanceCheck: { amount: '100.00' } },
  ])
  expect(submissions.map(({ user }) => user.state)).toContain('held')
}

/** A batch that left and settled, with a payout that came back to the printed seller, and a card that was found bad. */
async function expectBooks(staff: Person, seller: Person): Promise<void> {
  expect((await staff.get('/api/admin/payout-batches?state=settled')).json).toMatchObject([
    { createdBy: 'petra', releasedBy: 'maya', settledBy: 'petra', count: 3, paidCount: 2, returnedCount: 1 },
  ])
  const unfinished = (await staff.get('/api/admin/payout-batches?unfinished=true')).json
  const [{ total }] = unfinished.filter(({ state }: { state: string }) => state === 'exported')
  const bytes = await readFile(join(around, 'demo', 'bank-statement.csv'))
  const file = { name: 'file', filename: 'bank-statement.csv', type: 'text/csv', bytes }
  expect((await staff.upload('/api/admin/bank-statements/read', [file])).json.lines).toMatchObject([
    { amount: total, suggestion: 'batch' },
    { amount: '4.95', suggestion: 'fee' },
    { suggestion: null },
  ])
  const own: SellerSubmission[] = (await seller.get('/api/user/gift-cards')).json
  const waiting = own.flatMap(({ payout }) => (payout?.needsAccount ? payout : []))
  expect(waiting.filter(({ state }) => state === 'returned')).toHaveLength(1)
  // The others would go to the account that sent the money back.
  expect(new Set(waiting.map(({ account }) => account)).size).toBe(1)
  const stock: StockItem[] = (await staff.get('/api/admin/inventory')).json
  expect(stock.map(({ state }) => state)).toEqual(expect.arrayContaining(['in_stock', 'sold', 'bad']))
}

async function signedIn(url: string, email: string, password: string): Promise<Person> {
  const person = new Person(remote(url))
  await accepted(person.post('/api/auth/login', { email, password }))
  return person
}

/** From a new browser, the seller sells a card that is paid without a person, and an empty one that people get. */
async function expectInstantPayment(folder: string, seller: Person, staff: Person): Promise<void> {
  const connection = await findRunning(folder)
  if (!connection) throw new Error('No PostgreSQL runs on the folder')
  const pool = createPool({ connection, max: 1, onError: () => undefined })
  // No card is a sample for a person.
  await pool.query('alter table policies drop constraint policies_sample_percent_check')
  await pool.query('alter table policies disable trigger policies_append_only')
  await pool.query('update policies set sample_percent = 0')
  const sell = async (cardNumber: string, shade: number): Promise<string> => {
    const brands: WireBrand[] = (await seller.get('/api/brands')).json
    const rate = Number(brands.find(({ value }) => value === 'starbucks')?.rate)
    const price = { sellingPrice: rate.toFixed(2), discountPercentage: (100 - rate).toFixed(2) }
    const account = { paymentAccountName: 'Diego Morales', paymentAccountInfo: 'diego@example.net' }
    const fields = { brand: 'starbucks', cardNumber, ...price, ...account }
    return submitted(seller, fields, { photos: [await photo(shade)] })
  }
  const movesOf = async (id: string) => {
    const history: HistoryEntry[] = (await seller.get(`/api/user/gift-cards/${id}/history`)).json
    return history.map(({ move, by }) => `${move} by ${by}`)
  }
  const full = await sell('6006 4930 1234 5675', 60)
  await expect
    .poll(() => movesOf(full), { timeout: 60_000 })
    .toEqual(['submit by seller', 'start by system', 'complete by system'])
  const [payout]: WirePayout[] = (await staff.get(`/api/admin/payouts?q=${full}`)).json
  expect(payout).toMatchObject({ state: 'paid', automatic: 'batched' })
  for (const [subject, actions] of [
    [full, ['submission.balance_asked', 'submission.balance_checked', 'submission.moved']],
    [payout?.batchId, ['payout_batch.created', 'payout_batch.released', 'payout_batch.sent']],
  ] as const) {
    const entries = (await staff.get(`/api/admin/audit?subject=${subject}`)).json
    expect(new Set(entries.map(({ actorKind }: { actorKind: string }) => actorKind))).toEqual(
      new Set(['system']),
    )
    expect(entries.map(({ action }: { action: string }) => action)).toEqual(
      expect.arrayContaining([...actions]),
    )
  }
  const empty = await sell('6006 4930 1234 5671', 200)
  const decisions = async () => (await staff.get(`/api/admin/submissions/${empty}`)).json.policyDecisions
  await expect.poll(decisions, { timeout: 60_000 }).toMatchObject([{ outcome: 'person', reason: 'balance' }])
  expect(await movesOf(empty)).toEqual(['submit by seller'])
  expect((await staff.get('/api/admin/submissions?view=review')).json).toContainEqual(
    expect.objectContaining({ id: empty, status: 'pending' }),
  )
  expect((await verifyLedger(createDatabase(pool))).problems).toEqual([])
  await pool.end()
}

function ageInDays(time: string): number {
  return (Date.now() - Date.parse(time)) / (24 * 3600 * 1000)
}
