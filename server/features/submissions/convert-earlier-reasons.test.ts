import { beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '#test/app.ts'
import type { Person } from '#test/person.ts'
import { submitted, submittedIn } from '#test/submissions.ts'
import { convertEarlierReasons } from './convert-earlier-reasons.ts'
import { sealReason } from './reasons.ts'

const PIN = '73195264'
let server: TestApp
let seller: Person
let staff: Person
beforeAll(async () => {
  server = await createTestApp()
  seller = await server.seller()
  staff = await server.staff()
})

const reasonsOf = async (reader: Person, path: string): Promise<(string | undefined)[]> =>
  (await reader.get(`${path}/history`)).json.map(({ reason }: { reason?: string }) => reason)

const rowsWith = async (text: string) =>
  (await server.pool.query('select 1 from status_history where reason ~ $1', [text])).rowCount

async function changeHistory(statement: string, values: unknown[]): Promise<void> {
  await server.pool.query('alter table status_history disable trigger user')
  await server.pool.query(statement, values)
  await server.pool.query('alter table status_history enable trigger user')
}

describe('a history that an earlier version stored in plain text', () => {
  /** Stores the text unsealed, as earlier versions did. */
  async function unsealed(id: string): Promise<void> {
    await changeHistory(
      `update status_history set reason = 'The PIN is ${PIN}, entry ' || version, sealed_reason = null, reason_code = null
       where gift_card_id = $1 and version > 1`,
      [id],
    )
  }

  it('is sealed once at the start, however many servers start', async () => {
    const ids = await Promise.all(Array.from({ length: 6 }, () => submittedIn('failed', { seller, staff })))
    for (const id of ids) await unsealed(id)
    const counts = await Promise.all([1, 2, 3].map(() => convertEarlierReasons(server.context)))
    expect(counts.reduce((sum, count) => sum + count)).toBe(12)
    expect(await rowsWith(PIN)).toBe(0)
    for (const id of ids) {
      const said = await reasonsOf(seller, `/api/user/gift-cards/${id}`)
      expect(said).toEqual([undefined, `The PIN is ${PIN}, entry 2`, `The PIN is ${PIN}, entry 3`])
    }
    expect(await convertEarlierReasons(server.context)).toBe(0)
  })

  it('is deleted if the submission’s key is erased, and kept if the key cannot be opened', async () => {
    const [erased, locked] = [
      await submittedIn('rejected', { seller, staff }),
      await submittedIn('rejected', { seller, staff }),
    ]
    for (const id of [erased, locked]) await unsealed(id)
    await server.pool.query(
      'update gift_cards set data_key = null, secrets_erased_at = now() where id = $1',
      [erased],
    )
    await server.pool.query("update gift_cards set data_key = '\\x01026b31ff' where id = $1", [locked])
    expect(await convertEarlierReasons(server.context)).toBe(1)
    expect(await reasonsOf(staff, `/api/admin/submissions/${erased}`)).toEqual([
      undefined,
      '(This text was erased)',
    ])
    expect(await rowsWith(PIN)).toBe(1)
  })

  it('cannot be changed otherwise', async () => {
    const id = await submittedIn('rejected', { seller, staff })
    await unsealed(id)
    for (const change of [
      "reason = 'Something else'",
      'reason = null',
      "reason = null, sealed_reason = '\\x01', by_id = gift_card_id",
      "to_status = 'completed'",
      "reason = null, sealed_reason = '\\x01', reason_code = 'card_expired'",
    ]) {
      const update = `update status_history set ${change} where gift_card_id = $1`
      await expect(server.pool.query(update, [id]), change).rejects.toThrow('append-only')
    }
  })
})

describe('reasons that an earlier version stored as sealed texts', () => {
  const texts = [
    ['The card has expired.', 'card_expired'],
    ['eBay cards are not taken partially used.', 'type_ebay_partial'],
    ['Please call us.', 'free_text'],
  ] as const
  const textOf = (version: number) => texts[version % texts.length] ?? texts[0]

  /** Adds this many rejections to the history of a submission, as earlier versions stored them. */
  async function rejectedBefore(id: string, count: number): Promise<void> {
    const { rows } = await server.pool.query('select data_key from gift_cards where id = $1', [id])
    const versions = Array.from({ length: count }, (_, index) => index + 2)
    const sealed = versions.map((version) => {
      const [text] = textOf(version)
      return sealReason(server.context.keys, { id, dataKey: rows[0].data_key }, version, text).sealed
    })
    await server.pool.query(
      `insert into status_history (gift_card_id, version, from_status, to_status, sealed_reason, by_kind, by_id)
       select $1, version, 'pending', 'rejected', sealed, 'staff', $1
       from unnest($2::integer[], $3::bytea[]) as row (version, sealed)`,
      [id, versions, sealed],
    )
  }
  const unconverted = async (id: string) =>
    (
      await server.pool.query(
        `select count(*)::integer as count from status_history
         where gift_card_id = $1 and version > 1 and reason_code is null`,
        [id],
      )
    ).rows[0].count

  it('are stored by code, 10,000 of them, after an interrupted start too', async () => {
    const id = await submitted(seller)
    await rejectedBefore(id, 10_000)
    let opened = 0
    const failing = {
      ...server.context.keys,
      get masters() {
        if (++opened > 3200) throw new Error('killed')
        return server.context.keys.masters
      },
    }
    await expect(convertEarlierReasons({ ...server.context, keys: failing })).rejects.toThrow('killed')
    const left = await unconverted(id)
    expect(left).toBeGreaterThan(0)
    expect(left).toBeLessThan(10_000)
    const counts = await Promise.all([1, 2, 3].map(() => convertEarlierReasons(server.context)))
    expect(counts.reduce((sum, count) => sum + count)).toBe(left)
    expect(await convertEarlierReasons(server.context)).toBe(0)
    const { rows } = await server.pool.query(
      `select version, reason_code, sealed_reason is not null as sealed from status_history
       where gift_card_id = $1 and version > 1 order by version`,
      [id],
    )
    expect(rows).toEqual(
      rows.map(({ version }) => {
        const [, code] = textOf(version)
        return { version, reason_code: code, sealed: code === 'free_text' }
      }),
    )
    await seller.put('/api/user/locale', { locale: 'es' })
    expect((await reasonsOf(seller, `/api/user/gift-cards/${id}`)).slice(1, 5)).toEqual([
      'Please call us.',
      'La tarjeta está vencida.',
      'No aceptamos tarjetas de eBay parcialmente usadas.',
      'Please call us.',
    ])
  })
})
