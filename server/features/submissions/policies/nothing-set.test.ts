import { expect, it, vi } from 'vitest'
import { advanceBatches } from '#server/features/payouts/provider/advance.ts'
import { createTestApp } from '#test/app.ts'
import { countSent } from '#test/round-trips.ts'
import { submitted } from '#test/submissions.ts'

it('without connectors, policies and a provider, nobody is asked, and no answer has any of it', async () => {
  const fetched = vi.spyOn(globalThis, 'fetch')
  const server = await createTestApp()
  const { pool, context } = server
  const [seller, staff] = [await server.seller(), await server.staff()]
  await pool.query('update users set verified = true')
  const id = await submitted(seller)
  const path = `/api/admin/submissions/${id}`
  const expectNothing = async () => {
    const own = (await seller.get(`/api/user/gift-cards/${id}`)).json
    for (const key of ['balanceCheck', 'checkedAutomatically']) expect(own).not.toHaveProperty(key)
    const desk = (await staff.get(path)).json
    for (const key of ['balanceRequest', 'balanceAskable', 'policyDecisions'])
      expect(desk).not.toHaveProperty(key)
    expect(desk.balanceCheck).toBeNull()
    for (const reader of [seller.get(`/api/user/gift-cards/${id}/history`), staff.get(`${path}/history`)]) {
      expect(
        (await reader).json.filter(
          ({ by, policy }: { by: string; policy?: object }) => by === 'system' || policy,
        ),
      ).toEqual([])
    }
  }
  await expectNothing()
  await staff.patch(`${path}/status`, { status: 'processing' })
  await expectNothing()
  expect((await staff.get(`/api/admin/payouts?q=${id}`)).json).toMatchObject([
    { automatic: null, providerState: null },
  ])

  const { rows } = await pool.query(`
    select (select count(*)::int from jobs where kind in ('askBalance', 'decideByPolicy', 'payAtOnce')) as jobs,
      (select count(*)::int from balance_requests) as requests, (select count(*)::int from policy_decisions) as decisions`)
  expect(rows).toEqual([{ jobs: 0, requests: 0, decisions: 0 }])
  const sent = await countSent(pool, () => advanceBatches(context, new AbortController().signal))
  expect(sent).toEqual({ statements: 0, roundTrips: 0 })
  expect(fetched).not.toHaveBeenCalled()
})
