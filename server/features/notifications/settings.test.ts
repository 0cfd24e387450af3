import { expect, it } from 'vitest'
import { createTestApp } from '#test/app.ts'
import { wants } from './settings.ts'

const server = await createTestApp()
const on = { mail: true, push: true }
const defaults = { question: on, offer: on, decision: on, payout: on, reply: on }

it('are all on until the seller turns one off, and each change leaves the others alone', async () => {
  const seller = await server.seller('sally')
  const other = await server.seller('otto')
  const path = '/api/user/notifications'
  expect((await seller.get(path)).json).toEqual(defaults)
  await Promise.all([
    seller.put(path, { decision: { mail: false } }),
    seller.put(path, { decision: { push: false }, reply: { push: false }, receipt: { mail: false } }),
  ])
  const settings = { ...defaults, decision: { mail: false, push: false }, reply: { mail: true, push: false } }
  expect((await seller.get(path)).json).toEqual(settings)
  expect((await seller.put(path, { ...defaults, decision: { push: true } })).json).toEqual({
    ...defaults,
    decision: { mail: false, push: true },
  })
  const kind = 'decision'
  expect([
    await wants(server.db, { userId: seller.id, kind }, 'mail'),
    await wants(server.db, { userId: seller.id, kind }, 'push'),
    await wants(server.db, { userId: other.id, kind }, 'mail'),
  ]).toEqual([false, true, true])
  const refused = await seller.put(path, { offer: { mail: 'no' } })
  expect([refused.status, refused.json.errors]).toEqual([
    400,
    [{ path: 'offer.mail', message: 'mail and push must be true or false', code: 'notification_invalid' }],
  ])
})
