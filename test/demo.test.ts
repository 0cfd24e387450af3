import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { StockItem } from '#contract/inventory.ts'
import type { StaffSubmission } from '#contract/staff-submissions.ts'
import type { HistoryEntry, SellerSubmission } from '#contract/submissions.ts'
import { prepareFolder } from '#demo/folder.ts'
import { importFlags } from '../scripts/become.mjs'
import { newSeller } from './people.ts'
import { Person } from './person.ts'
import { remote } from './remote.ts'
import { newDataDir, ServerProcess } from './server-process.ts'

const MAKE = join(import.meta.dirname, '../demo/make.ts')

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

  const server = ServerProcess.start({ DATA_DIR: folder })
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
    await expect(prepareFolder(folder, true)).rejects.toThrow('A server is using')
  } finally {
    server.kill('SIGTERM')
    await server.ended()
  }
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
  expect(own.filter(({ payout }) => payout?.needsAccount)).toHaveLength(1)
  const stock: StockItem[] = (await staff.get('/api/admin/inventory')).json
  expect(stock.map(({ state }) => state)).toEqual(expect.arrayContaining(['in_stock', 'sold', 'bad']))
}

function ageInDays(time: string): number {
  return (Date.now() - Date.parse(time)) / (24 * 3600 * 1000)
}
