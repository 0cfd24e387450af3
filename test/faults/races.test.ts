import { randomUUID } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { movesFrom, type Status } from '#domain/submission.ts'
import { createTestApp, type TestApp } from '#test/app.ts'
import type { Person } from '#test/person.ts'
import { Random } from '#test/random.ts'
import { photo, submit, submitted } from '#test/submissions.ts'
import { Acknowledgements } from './acknowledgements.ts'
import { check, photosIn } from './checker.ts'
import { textOf } from './load.ts'
import { raceOffer } from './offer-race.ts'
import { oneOf, report, seed, sizes, timeoutFor } from './sizes.ts'

let server: TestApp
let seller: Person
let staff: Person[]
beforeAll(async () => {
  report(`races: FAULTS_SEED=${seed}`)
  server = await createTestApp()
  seller = await server.seller()
  const names = Array.from({ length: 10 }, (_, index) => (index === 0 ? 'admin' : `colleague${index}`))
  staff = await Promise.all(names.map((name) => server.staff(name)))
})

const colleague = (index: number): Person => staff[index % staff.length] ?? seller
const many = <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)))

async function stateOf(id: string): Promise<{ status: Status; version: number; history: number }> {
  const { rows } = await server.pool.query(
    `SELECT status, version, (SELECT count(*)::int FROM status_history WHERE gift_card_id = id) AS history
     FROM gift_cards WHERE id = $1`,
    [id],
  )
  return rows[0]
}

async function expectNothingLost(): Promise<void> {
  const file = join(mkdtempSync(join(tmpdir(), 'unspent-acks-')), 'acknowledgements')
  const acknowledgements = new Acknowledgements(file)
  const evidence = {
    pool: server.pool,
    storage: server.context.photos,
    stored: () => photosIn(join(server.folder, 'uploads')),
    acknowledgements,
    folders: [server.folder],
  }
  expect(await check(evidence)).toEqual([])
}

describe('of many simultaneous requests exactly one wins', () => {
  it(
    `when 2 to 50 staff press different buttons on one submission, ${sizes.raceRounds} times`,
    async () => {
      const chance = new Random(seed)
      let id = await submitted(seller)
      for (let round = 0; round < sizes.raceRounds; round++) {
        const { status, history } = await stateOf(id)
        if (status === 'cancelled' || history > 40) id = await submitted(seller)
        const before = await stateOf(id)
        const buttons = movesFrom(before.status, 'staff')
        const answers = await many(2 + chance.below(49), async (index) => {
          const move = oneOf(buttons, chance)
          const body = {
            status: move?.to,
            version: before.version,
            ...(move && textOf(move)),
          }
          return colleague(index).patch(`/api/admin/submissions/${id}/status`, body)
        })
        const won = answers.filter((answer) => answer.status === 200)
        expect(won).toHaveLength(1)
        expect(answers.filter((answer) => answer.status === 409)).toHaveLength(answers.length - 1)
        const after = await stateOf(id)
        expect(after).toEqual({
          status: won[0]?.json.status,
          version: before.version + 1,
          history: before.history + 1,
        })
      }
      await expectNothingLost()
    },
    timeoutFor(sizes.raceRounds),
  )

  it(
    `when ten staff complete one submission, ${sizes.settleRounds} times: it is paid once`,
    async () => {
      const earner = await server.seller()
      let settledTwice = 0
      for (let round = 1; round <= sizes.settleRounds; round++) {
        const id = await submitted(earner, { cardNumber: `77770000${String(round).padStart(8, '0')}` })
        const answers = await many(10, (index) =>
          colleague(index).patch(`/api/admin/submissions/${id}/status`, { status: 'completed' }),
        )
        if (answers.filter(({ status }) => status === 200).length !== 1) settledTwice += 1
      }
      expect(settledTwice).toBe(0)
      const earnings = (await earner.get('/api/user/earnings')).json
      expect(earnings.totalEarned).toBe((93 * sizes.settleRounds).toFixed(2))
      report(`${sizes.settleRounds} settled by ten at once: ${settledTwice} of them twice`)
      await expectNothingLost()
    },
    timeoutFor(sizes.settleRounds),
  )

  it(
    `when one submission is sent 20 times, ${sizes.submitRounds} times: it is stored once`,
    async () => {
      for (let round = 0; round < sizes.submitRounds; round++) {
        const [key, bytes, hurried] = [randomUUID(), await photo(round), await server.seller()]
        const answers = await many(20, () => submit(hurried, {}, { key, photos: [bytes] }))
        const taken = answers.filter(({ status }) => status === 201 || status === 200)
        expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
        expect(new Set(taken.map(({ json }) => json.giftCard.id)).size).toBe(1)
        // The only other response is 503.
        expect(answers.every(({ status }) => [200, 201, 503].includes(status))).toBe(true)
        expect((await hurried.get('/api/user/gift-cards')).json).toHaveLength(1)
      }
      await expectNothingLost()
    },
    timeoutFor(sizes.submitRounds * 4),
  )

  it(
    `when the seller withdraws while staff approve, ${sizes.raceRounds} times`,
    async () => {
      for (let round = 0; round < sizes.raceRounds; round++) {
        const id = await submitted(seller)
        const [withdrawn, approved] = await Promise.all([
          seller.post(`/api/user/gift-cards/${id}/withdraw`),
          colleague(round).patch(`/api/admin/submissions/${id}/status`, { status: 'completed' }),
        ])
        expect([withdrawn.status, approved.status].sort()).toEqual([200, 409])
        const { status, history } = await stateOf(id)
        expect(status).toBe(withdrawn.status === 200 ? 'cancelled' : 'completed')
        expect(history).toBe(2)
      }
      await expectNothingLost()
    },
    timeoutFor(sizes.raceRounds),
  )

  it(
    `when everything happens to an offer at once, ${sizes.offerRounds} times: one winner, and the price is its`,
    async () => {
      const wins: Record<string, number> = {}
      for (let round = 0; round < sizes.offerRounds; round++) {
        const winner = await raceOffer(server, { seller, staff: colleague(round) }, round % 2 === 1)
        wins[winner] = (wins[winner] ?? 0) + 1
      }
      report(`${sizes.offerRounds} races for an offer, won by ${JSON.stringify(wins)}`)
      await expectNothingLost()
    },
    timeoutFor(sizes.offerRounds),
  )

  it(
    `when all is cleared while staff approve, ${sizes.submitRounds} times: paid or removed, never both`,
    async () => {
      for (let round = 0; round < sizes.submitRounds; round++) {
        const id = await submitted(seller)
        const [approved, cleared] = await Promise.all([
          colleague(1).patch(`/api/admin/submissions/${id}/status`, { status: 'completed' }),
          colleague(2).delete('/api/admin/submissions'),
        ])
        expect(cleared.status).toBe(200)
        const there = (await colleague(0).get(`/api/admin/submissions/${id}`)).status
        expect([approved.status, there]).toEqual(
          approved.status === 200 ? [200, 200] : [approved.status, 404],
        )
        expect([200, 404, 409]).toContain(approved.status)
      }
      await expectNothingLost()
    },
    timeoutFor(sizes.submitRounds),
  )
})
