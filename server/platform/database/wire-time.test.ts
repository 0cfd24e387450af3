import { expect, it } from 'vitest'
import { createTestDatabase } from '#test/database.ts'
import { toWireTime } from './wire-time.ts'

const times = [
  '2026-11-20T09:12:11.123Z',
  '2026-11-20T09:12:11.500Z',
  '2026-11-20T09:12:00.000Z',
  '2026-12-31T23:59:59.999Z',
  '2024-02-29T00:00:00.007Z',
  '1999-06-30T12:00:00.010Z',
]
const zones = ['UTC', 'Europe/Berlin', 'Asia/Kolkata', 'America/St_Johns']

it.each(zones)('is the time that was written, read in %s', async (zone) => {
  const { pool } = await createTestDatabase()
  const client = await pool.connect()
  try {
    await client.query(`SET TIME ZONE '${zone}'`)
    const { rows } = await client.query('SELECT time::text FROM unnest($1::timestamptz[]) AS time', [times])
    expect(rows.map(({ time }) => toWireTime(time))).toEqual(times)
  } finally {
    client.release(true)
  }
})

it('leaves out what is finer than a millisecond, as a Date does', () => {
  expect(toWireTime('2026-11-20 09:12:11.999999+00')).toBe('2026-11-20T09:12:11.999Z')
})
