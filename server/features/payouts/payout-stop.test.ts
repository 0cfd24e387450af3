import { beforeEach, expect, it } from 'vitest'
import { ensureInstallation } from '#server/operator/installation.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { createTestApp, type TestApp } from '#test/app.ts'
import { runCommand } from '#test/operator.ts'
import { batchIn, batchOf, duePayout, pathOf } from '#test/payouts.ts'
import type { Person, TestAnswer } from '#test/person.ts'
import { stopPayouts } from './payout-stop.ts'

let server: TestApp
let owner: Person
let seller: Person
beforeEach(async () => {
  server = await createTestApp()
  await ensureInstallation(server.db)
  owner = await server.staff()
  seller = await server.seller()
})

const backupMadeAt = new Date('2026-11-20T10:00:00Z')
const stop = () => transaction(server.db, (tx) => stopPayouts(tx, backupMadeAt))
const due = () => duePayout(server, seller, owner)
const pay = (id: string, body: object) => owner.post(`/api/admin/payouts/${id}/paid`, body)
const refusalOf = ({ status, json }: TestAnswer) => `${status} ${json.code}`

it('lets nothing leave until the operator resumes payouts, except what is recorded with its reference', async () => {
  const [sent, waiting] = [await due(), await due()]
  const [open, frozen, released] = [
    await batchIn('open', server, seller, owner),
    await batchIn('frozen', server, seller, owner),
    await batchIn('released', server, seller, owner),
  ]
  await stop()
  expect((await owner.get('/api/admin/payouts/stop')).json).toEqual({
    stoppedAt: expect.any(String),
    backupMadeAt: backupMadeAt.toISOString(),
  })
  const moved = `/api/admin/submissions/${waiting.submissionId}/status`
  const attempts = {
    batch: () => owner.post('/api/admin/payout-batches', { paymentType: 'paypal' }),
    chosen: () => owner.post('/api/admin/payout-batches', { paymentType: 'paypal', payoutIds: [waiting.id] }),
    freeze: () => owner.post(`${pathOf({ id: open })}/freeze`),
    release: () => owner.post(`${pathOf({ id: frozen })}/release`),
    file: () => owner.post(`${pathOf({ id: released })}/file`),
    reveal: () => owner.post(`/api/admin/payouts/${waiting.id}/reveal`),
    paid: () => pay(waiting.id, {}),
    paidWithSpaces: () => pay(waiting.id, { reference: '  ' }),
    completed: () => owner.patch(moved, { status: 'completed' }),
  }
  for (const [name, attempt] of Object.entries(attempts))
    expect([name, refusalOf(await attempt())]).toEqual([name, '409 payouts_stopped'])

  expect((await pay(sent.id, { reference: 'STATEMENT-1' })).json).toMatchObject({
    state: 'paid',
    byHand: true,
  })
  // What was in a batch is recorded after the batch is dissolved.
  expect((await owner.post(`${pathOf({ id: released })}/void`)).json.state).toBe('void')

  expect(await runCommand({ db: server.db }, 'payouts', 'resume')).toBe('Payouts leave again.')
  expect((await owner.get('/api/admin/payouts/stop')).json).toEqual({ stoppedAt: null, backupMadeAt: null })
  for (const name of ['freeze', 'release', 'reveal', 'paid'] as const)
    expect([name, (await attempts[name]()).status]).toEqual([name, 200])
  const log = (await owner.get('/api/admin/audit?subject=all')).json
  expect(log.map(({ action }: { action: string }) => action)).toEqual(['payouts.resumed', 'payouts.stopped'])
  await expect(runCommand({ db: server.db }, 'payouts', 'resume')).rejects.toThrow('Payouts are not stopped.')
})

it('gives no payout and no batch a number that may have been used since the backup', async () => {
  const before = await due()
  const batch = await batchOf(owner, 'paypal', [before.id])
  await runCommand({ db: server.db }, 'payouts', 'stop')
  const after = await due()
  expect(after.number).toBeGreaterThan(before.number + 1_000_000)
  await runCommand({ db: server.db }, 'payouts', 'resume')
  expect((await batchOf(owner, 'paypal', [after.id])).number).toBeGreaterThan(batch.number + 10_000)
})

it('stops while a payment is being recorded only after that, and the next one is refused', async () => {
  const [first, second] = [await due(), await due()]
  const [paid] = await Promise.all([pay(first.id, {}), stop()])
  expect([200, 409]).toContain(paid.status)
  expect(refusalOf(await pay(second.id, {}))).toBe('409 payouts_stopped')
})
