import { sql } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { callLimits } from '#contract/route.ts'
import { tidy } from '#server/housekeeping.ts'
import { createTestApp, type TestApp } from '#test/app.ts'
import { ADMIN_PASSWORD } from '#test/people.ts'
import { linked, type Person } from '#test/person.ts'
import { type CardFields, submittedIn } from '#test/submissions.ts'
import { withoutRandom } from '#test/without-random.ts'

let server: TestApp
let manager: Person
let seller: Person
beforeAll(async () => {
  server = await createTestApp({
    site: {
      payouts: { manual: true, alwaysTwoPersons: false, netReceivables: true, nacha: { cutoff: 1020 } },
    },
  })
  manager = await server.staff('mia', 'manager')
})
beforeEach(async () => {
  seller = await server.seller()
})

const path = '/api/admin/inventory'
const stocked = (fields: CardFields = {}) => submittedIn('completed', { seller, staff: manager }, fields)
const change = (id: string, body: object, by = manager) => by.patch(`${path}/${id}`, body)
const sold = { state: 'sold', channel: 'eBay', proceeds: '95.00', soldAt: '2026-11-20' }
const audited = async (query: string) => (await (await server.staff()).get(`/api/admin/audit?${query}`)).json
const move = (id: string, body: object) => manager.patch(`/api/admin/submissions/${id}/status`, body)
const read = async (id: string) => (await manager.get(`${path}?q=${id}`)).json[0]

/** What a submission did to each account, in cents, without accounts whose balance is 0. Receivables without their seller. */
async function balancesOf(id: string): Promise<Record<string, number>> {
  const { rows } = await server.db.execute<{ account: string; balance: string }>(sql`
    select split_part(account, ':', 1) as account, sum(amount) as balance from ledger_lines
    join ledger_entries on ledger_entries.id = entry_id
    where gift_card_id = ${id} and account not in ('cash:paypal') group by 1 having sum(amount) <> 0`)
  return Object.fromEntries(rows.map(({ account, balance }) => [account, Number(balance)]))
}

async function owedBy(person: Person): Promise<number> {
  const { rows } = await server.pool.query(
    'select coalesce(sum(amount), 0)::int as owed from ledger_lines where account = $1',
    [`receivable:${person.id}`],
  )
  return rows[0].owed
}

describe('the status of a card', () => {
  it('is posted to the ledger, and taken back by putting the card back', async () => {
    const id = await stocked()
    const posted = {
      listed: { stock: 9300 },
      sold: { cash: 9500, proceeds: -9500, cost_of_sales: 9300 },
      used: { cards_used: 9300 },
      bad: { receivable: 9300 },
    }
    for (const [state, balances] of Object.entries(posted)) {
      const answer = await change(id, { ...sold, state })
      expect([answer.status, answer.json.state]).toEqual([200, state])
      expect(await balancesOf(id)).toEqual(balances)
      expect((await change(id, { state: 'in_stock' })).json).toMatchObject({
        state: 'in_stock',
        channel: null,
        soldAt: null,
        proceeds: null,
        leftAt: null,
      })
      expect(await balancesOf(id)).toEqual({ stock: 9300 })
    }
    const changes = await audited(`subject=${id}&action=inventory.changed`)
    expect(changes).toHaveLength(8)
    expect(changes[5]).toMatchObject({
      actor: 'mia',
      details: { from: 'in_stock', to: 'sold', channel: 'eBay', proceeds: '95.00' },
    })
  })

  it('keeps the channel on which a card was listed', async () => {
    const id = await stocked()
    await change(id, { state: 'listed', channel: 'Raise' })
    const { json } = await change(id, { state: 'sold', proceeds: 95, from: 'listed' })
    expect(json).toMatchObject({ channel: 'Raise', proceeds: '95.00', cost: '93.00' })
    expect(Date.parse(json.leftAt)).toBeGreaterThan(Date.parse(json.submittedAt))
  })

  it('is decided once, when two people sell the same card at once', async () => {
    const id = await stocked()
    const answers = await Promise.all([1, 2, 3, 4].map(() => change(id, { ...sold, from: 'in_stock' })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
    const { json } = await change(id, { ...sold, from: 'in_stock' })
    expect(json).toMatchObject({
      code: 'stock_changed',
      message: 'The card has changed in the meantime: it is sold now',
    })
    expect((await change(id, { state: 'used' })).json.code).toBe('illegal_stock_move')
    expect(await balancesOf(id)).toEqual({ cash: 9500, proceeds: -9500, cost_of_sales: 9300 })
  })

  it.each([
    [{ state: 'sold' }, 'proceeds_required'],
    [{ state: 'sold', proceeds: '-1' }, 'proceeds_invalid'],
    [{ state: 'sold', proceeds: '1', soldAt: 'yesterday' }, 'sold_at_invalid'],
    [{ state: 'sold', proceeds: '1', soldAt: '0000-01-01' }, 'sold_at_invalid'],
    [{ state: 'sold', proceeds: '1', soldAt: '2999-01-01' }, 'sold_at_future'],
    [{ state: 'gone' }, 'stock_state_unknown'],
  ])('refuses %j', async (body, code) => {
    const { status, json } = await change(await stocked(), body)
    expect([status, json.errors[0].code]).toEqual([400, code])
  })

  it('leaves the inventory if it comes back while its submission is no longer completed', async () => {
    const id = await stocked()
    await change(id, sold)
    const { json } = await manager.get(`/api/admin/submissions/${id}`)
    await move(id, { status: 'processing', version: json.version })
    expect((await move(id, { status: 'failed', reason: 'Closed' })).json.code).toBe('card_gone')
    expect((await change(id, { state: 'in_stock' })).json).toBeNull()
    expect(await balancesOf(id)).toEqual({ incoming: 9300, payouts_payable: -9300 })
    expect((await move(id, { status: 'failed', reason: 'Closed' })).status).toBe(200)
    expect(await balancesOf(id)).toEqual({})
  })
})

describe('a bad card', () => {
  it('makes the seller owe us its cost, which is taken from the next payout', async () => {
    const id = await stocked()
    await change(id, { state: 'bad' })
    expect(await owedBy(seller)).toBe(9300)
    const next = await submittedIn('processing', { seller, staff: manager })
    expect(await owedBy(seller)).toBe(0)
    // It works after all: the seller gets it back with the next payout.
    await change(id, { state: 'in_stock' })
    expect(await owedBy(seller)).toBe(-9300)
    await submittedIn('processing', { seller, staff: manager })
    expect(await owedBy(seller)).toBe(0)
    expect(await balancesOf(next)).toEqual({ incoming: 9300, receivable: -9300 })
  })

  it('can be written off, up to what the seller owes, and that is taken back with it', async () => {
    const id = await stocked()
    const writeOff = (amount?: string) => manager.post(`${path}/${id}/write-off`, { amount })
    expect((await writeOff()).json.code).toBe('illegal_stock_move')
    await change(id, { state: 'bad' })
    expect((await writeOff('93.01')).json.errors).toMatchObject([
      { code: 'write_off_too_high', message: 'The seller owes $93.00 for this card' },
    ])
    expect((await writeOff('0')).json.errors).toMatchObject([{ code: 'amount_not_positive' }])
    expect((await writeOff('13.00')).json.writtenOff).toBe('13.00')
    expect(await balancesOf(id)).toEqual({ losses: 1300, receivable: 8000 })
    expect((await writeOff()).json.writtenOff).toBe('93.00')
    expect(await owedBy(seller)).toBe(0)
    expect((await writeOff()).json.code).toBe('nothing_to_write_off')
    expect((await change(id, { state: 'in_stock' })).json.writtenOff).toBe('0.00')
    expect(await balancesOf(id)).toEqual({ stock: 9300 })
  })
})

describe('several cards', () => {
  it('change in one call, each independently', async () => {
    const [one, two, three] = [await stocked(), await stocked(), await stocked()]
    await change(two, { state: 'used' })
    const missing = '019ab0de-7e1c-7c3e-9a55-0f6d5b1c2d3e'
    const { json } = await manager.post(`${path}/bulk`, { ids: [one, two, three, missing, one], ...sold })
    expect(json).toEqual({
      changed: 2,
      refused: [
        { id: two, code: 'illegal_stock_move', message: 'Not allowed: the card is used now' },
        { id: missing, code: 'not_found', message: expect.any(String) },
      ],
    })
    expect((await read(three)).state).toBe('sold')
    expect((await manager.post(`${path}/bulk`, { ids: [], state: 'used' })).json.errors).toMatchObject([
      { message: 'Choose from 1 to 200 cards' },
    ])
  })

  it('are listed by filter, with their sums', async () => {
    const lister = await server.seller('lena')
    const made = (fields: CardFields) => submittedIn('completed', { seller: lister, staff: manager }, fields)
    const steam = await made({ brand: 'steam', sellingPrice: '88.00', cardNumber: 'LIST 1111 7351' })
    const [one, two] = [await made({}), await made({})]
    await change(one, { state: 'listed', channel: 'Raise' })
    const ids = async (query: string) =>
      (await manager.get(`${path}?${query}`)).json.map(({ id }: { id: string }) => id)
    expect(await ids('q=lena')).toEqual([two, one, steam])
    expect(await ids('q=lena&state=listed')).toEqual([one])
    expect(await ids('q=lena&brand=steam')).toEqual([steam])
    expect(await ids('channel=Raise&q=lena')).toEqual([one])
    expect(await ids('q=7351')).toEqual([steam])
    expect(await ids('q=LIST11117351')).toEqual([steam])
    const first = await manager.get(`${path}?q=lena&limit=2`)
    expect(first.headers['x-total-count']).toBe('3')
    expect((await manager.get(linked(first))).json).toMatchObject([
      { id: steam, cardNumber: '•••• 7351', username: 'lena', cost: '88.00' },
    ])
    const totals = (await manager.get(`${path}/totals?q=lena`)).json
    expect(totals.slice(0, 2)).toEqual([
      { state: 'in_stock', count: 2, cost: '181.00', proceeds: '0.00' },
      { state: 'listed', count: 1, cost: '93.00', proceeds: '0.00' },
    ])
    expect((await (await server.staff('ada', 'auditor')).get(path)).status).toBe(200)
    expect((await (await server.staff('rob', 'reviewer')).get(path)).status).toBe(403)
  })
})

describe('CSV', () => {
  const importCsv = (...lines: string[]) => manager.post(`${path}/import`, { csv: lines.join('\r\n') })

  it('can be exported and imported again without changing anything', async () => {
    const [one, two, three] = [await stocked(), await stocked(), await stocked()]
    await change(one, { ...sold, channel: '=HYPERLINK("http://x.example")' })
    await change(two, { state: 'listed', channel: 'Raise, "the site"' })
    const all = await manager.get(`${path}.csv`)
    expect(all.headers['content-type']).toContain('text/csv')
    expect(all.text).toContain(
      `${one},sold,"'=HYPERLINK(""http://x.example"")",2026-11-20T00:00:00.000Z,95.00`,
    )
    const lines = all.text.split('\r\n')
    const own = lines.filter((line) => [one, two, three].some((id) => line.startsWith(id)))
    expect((await importCsv(lines[0] ?? '', ...own)).json).toEqual({ changed: 0, already: 3, refused: [] })
  })

  it('changes the cards of its lines once, and says what is wrong with the others', async () => {
    const [one, two, three] = [await stocked(), await stocked(), await stocked()]
    const lines = [
      'Proceeds,ID,State,Channel,Remark',
      `95,${one},sold,eBay,"two\nlines"`,
      `,${two},sold,eBay,`,
      '',
      `,${three},used,,`,
      `,${three},listed,,`,
      `x,${two},gone,,`,
      ',=cmd|calc,used,,',
    ]
    expect((await importCsv(...lines)).json).toEqual({
      changed: 2,
      already: 0,
      refused: [
        { line: 4, text: 'proceeds: Please enter what the buyer paid' },
        { line: 7, text: 'Not allowed: the card is used now' },
        { line: 8, text: expect.stringMatching(/^state: State must be .*\. proceeds: Please/) },
        { line: 9, text: expect.stringMatching(/^id: /) },
      ],
    })
    expect((await importCsv(...lines.slice(0, 2), lines[4] ?? '')).json).toEqual({
      changed: 0,
      already: 2,
      refused: [],
    })
    expect(await audited('action=inventory.imported')).toMatchObject([
      { details: { changed: 0, already: 2, refused: 0 } },
      { details: { changed: 2, refused: 4 } },
      {},
    ])
  })

  it.each([
    ['state\nused', 'csv_columns'],
    ['', 'csv_columns'],
    ['id,state\n"never closed', 'csv_unreadable'],
    [`id,state\n${'x,used\n'.repeat(1001)}`, 'csv_too_long'],
    ['x'.repeat(200_001), 'too_long'],
    ['id,state\n\u0000', 'characters_not_storable'],
  ])('that is not such a file is refused as a whole: %#', async (csv, code) => {
    const { status, json } = await manager.post(`${path}/import`, { csv })
    expect([status, json.errors?.[0]]).toMatchObject([400, { path: 'csv', code }])
  })
})

describe('a file of card numbers', () => {
  const ask = (ids: string[], password = ADMIN_PASSWORD, by = manager) =>
    by.post(`${path}/export`, { ids, password })

  it('is for the person who asked, for a day, and each card in it counts as a reveal', async () => {
    const ids = [await stocked({ cardNumber: '-6006 4711', securityCode: '0042' }), await stocked()]
    const file = await ask(ids)
    expect(file.status).toBe(200)
    expect(file.text.split('\r\n')[1]).toBe(`${ids[0]},Amazon,100.00,'-6006 4711,0042,`)
    const location = String(file.headers['content-location'])
    expect((await manager.get(location)).status).toBe(404)
    const again = (password: string, by = manager) => by.post(location, { password })
    expect((await again('wrong')).json.errors).toMatchObject([{ code: 'current_password_wrong' }])
    expect((await again(ADMIN_PASSWORD)).bytes).toEqual(file.bytes)
    expect((await manager.get(`${path}/exports`)).json).toMatchObject([
      { id: location.split('/').at(-1), count: 2, fileSha256: expect.stringMatching(/^[\da-f]{64}$/) },
    ])
    const owner = await server.staff()
    expect((await again(ADMIN_PASSWORD, owner)).status).toBe(404)
    expect((await owner.get(`${path}/exports`)).json).toEqual([])

    const details = { what: ['card_number', 'pin'], via: 'inventory', role: 'manager' }
    for (const id of ids) {
      const reveals = await audited(`subject=${id}&action=submission.revealed`)
      expect(reveals).toMatchObject([
        { actor: 'mia', details },
        { actor: 'mia', details },
      ])
      const seen = (await seller.get(`/api/user/gift-cards/${id}/reveals`)).json
      expect(seen).toMatchObject(reveals.map(() => ({ role: 'manager', what: details.what })))
    }
    const exported = await owner.get('/api/admin/audit?action=inventory.codes_exported')
    expect(exported.json).toMatchObject([
      { details: { cards: 2, again: true } },
      { details: { cards: 2, ids: expect.arrayContaining(ids) } },
    ])
    expect(withoutRandom(exported.text)).not.toMatch(/4711|0042/)
    const people = (await owner.get('/api/admin/staff')).json
    expect(people.find(({ username }: { username: string }) => username === 'mia').reveals).toBe(4)

    await server.pool.query("update code_exports set expires_at = now() - interval '1 second'")
    expect((await again(ADMIN_PASSWORD)).status).toBe(404)
    await tidy(server.context, { eraseAfterDays: 90 })
    expect((await server.pool.query('select from code_exports')).rowCount).toBe(0)
  })

  it('counts each of its cards against the limit of reveals, at each download', async () => {
    const limited = await createTestApp({ limits: true })
    const [sally, mia] = [await limited.seller(), await limited.staff('mia', 'manager')]
    const ids = [
      await submittedIn('completed', { seller: sally, staff: mia }),
      await submittedIn('completed', { seller: sally, staff: mia }),
    ]
    const pending = await submittedIn('pending', { seller: sally, staff: mia })
    const use = (points: number) =>
      limited.pool.query("update rate_limits set points = $1 where key like 'reveal:%'", [points])
    const used = async () =>
      (await limited.pool.query("select points from rate_limits where key like 'reveal:%'")).rows[0].points
    const file = await ask(ids, ADMIN_PASSWORD, mia)
    expect(await used()).toBe(2)
    const again = () => mia.post(String(file.headers['content-location']), { password: ADMIN_PASSWORD })
    expect((await again()).status).toBe(200)
    expect(await used()).toBe(4)
    expect((await ask([...ids, pending], ADMIN_PASSWORD, mia)).status).toBe(404)
    expect((await ask(ids, 'wrong', mia)).status).toBe(400)
    expect(await used()).toBe(4)

    await use(callLimits.reveal.points - 1)
    const entries = async () => (await limited.pool.query('select from audit_log')).rowCount
    const before = await entries()
    for (const refused of [await again(), await ask(ids, ADMIN_PASSWORD, mia)]) {
      expect([refused.status, Number(refused.headers['retry-after']) > 60]).toEqual([429, true])
    }
    expect(await entries()).toBe(before)
    // One more still fits.
    expect((await mia.post(`/api/admin/submissions/${pending}/reveal`)).status).toBe(200)
  })

  it('needs the password, the role and cards of the inventory that are not erased', async () => {
    const [id, erased] = [await stocked(), await stocked()]
    expect((await ask([id], 'wrong')).json.errors).toMatchObject([{ code: 'current_password_wrong' }])
    expect((await ask([id], ADMIN_PASSWORD, await server.staff('rob', 'reviewer'))).status).toBe(403)
    expect((await ask([id], ADMIN_PASSWORD, await server.staff('ada', 'auditor'))).status).toBe(403)
    const pending = await submittedIn('pending', { seller, staff: manager })
    expect((await ask([id, pending])).status).toBe(404)
    await change(erased, { state: 'used' })
    await server.pool.query("update gift_cards set released_at = '2020-01-01' where id = $1", [erased])
    await tidy(server.context, { eraseAfterDays: 90 })
    expect((await ask([id, erased])).json.code).toBe('erased')
    expect(await audited(`subject=${id}&action=submission.revealed`)).toEqual([])
  })
})

it('numbers of cards in stock are never erased by age, however old', async () => {
  const [kept, listed, used] = [await stocked(), await stocked(), await stocked()]
  await change(listed, { state: 'listed' })
  await change(used, { state: 'used' })
  await server.pool.query(
    "update gift_cards set updated_at = now() - interval '9 years', released_at = released_at - interval '91 days'",
  )
  await tidy(server.context, { eraseAfterDays: 90 })
  for (const id of [kept, listed]) expect((await read(id)).secretsErasedAt).toBeNull()
  expect((await read(used)).secretsErasedAt).not.toBeNull()
})
