import { beforeEach, describe, expect, it } from 'vitest'
import type { PolicyWeek } from '#contract/policies.ts'
import { ensureInstallation } from '#server/operator/installation.ts'
import { createTestApp, type TestApp } from '#test/app.ts'
import { accepted, type Person, type TestAnswer } from '#test/person.ts'
import { balanceService, policyIn, policyTerms, trustedSeller, workOnBalances } from '#test/policies.ts'
import { submittedIn } from '#test/submissions.ts'

const POLICIES = '/api/admin/policies'

let server: TestApp
let owner: Person
let mara: Person
let max: Person
beforeEach(async () => {
  server = await createTestApp({ site: { webhooksAllowPrivate: true } })
  await ensureInstallation(server.db)
  owner = await server.staff()
  mara = await server.staff('mara', 'manager')
  max = await server.staff('max', 'manager')
})

const shadow = { ...policyTerms, mode: 'shadow' }
const add = async (by = mara, fields: object = {}) =>
  (await accepted(by.post(POLICIES, { ...shadow, ...fields }))).json
const setMode = (by: Person, id: string, mode: string, version: number) =>
  by.post(`${POLICIES}/${id}/mode`, { mode, version })
const refusalOf = ({ status, json }: TestAnswer) => `${status} ${json.code}`

describe('a policy', () => {
  it('keeps every version with who made it, and the audit log names each', async () => {
    const { id } = await add()
    await accepted(mara.put(`${POLICIES}/${id}`, { ...shadow, maxFaceValue: '50', version: 1 }))
    await accepted(setMode(max, id, 'on', 2))
    const versions = (await owner.get(`${POLICIES}/${id}/versions`)).json
    expect(versions).toMatchObject([
      { version: 3, mode: 'on', maxFaceValue: '50.00', writtenBy: 'mara', by: 'max' },
      { version: 2, mode: 'shadow', maxFaceValue: '50.00', writtenBy: 'mara', by: 'mara' },
      { version: 1, mode: 'shadow', maxFaceValue: '100.00', writtenBy: 'mara', by: 'mara' },
    ])
    expect((await owner.get(POLICIES)).json).toMatchObject({
      stoppedAt: null,
      policies: [{ id, version: 3, approvedToday: '0.00', shopToday: '0.00' }],
    })
    const entries = (await owner.get(`/api/admin/audit?subject=${id}`)).json
    expect(
      entries.map(({ action, actor, details }: { action: string; actor: string; details: object }) => [
        action,
        actor,
        details,
      ]),
    ).toEqual([
      ['policy.mode_changed', 'max', { name: policyTerms.name, version: 3, mode: 'on' }],
      ['policy.changed', 'mara', { name: policyTerms.name, version: 2, mode: 'shadow' }],
      ['policy.added', 'mara', { name: policyTerms.name, version: 1, mode: 'shadow' }],
    ])
    await expect(server.pool.query('update policies set version = 9')).rejects.toThrow()
    await expect(server.pool.query('delete from policies')).rejects.toThrow()
  })

  it('is not changed by somebody who saw an earlier version, and of two at once one wins', async () => {
    const { id } = await add()
    const answers = await Promise.all(
      [mara, max].map((by) => by.put(`${POLICIES}/${id}`, { ...shadow, maxFaceValue: '50', version: 1 })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(refusalOf(await setMode(max, id, 'off', 1))).toBe('409 policy_changed')
    expect(
      refusalOf(await max.put(`${POLICIES}/00000000-0000-4000-8000-000000000000`, { ...shadow, version: 1 })),
    ).toBe('404 not_found')
  })

  it('is turned on by another person than its author, whoever changed its mode in between', async () => {
    const { id } = await add()
    expect(refusalOf(await setMode(mara, id, 'on', 1))).toBe('403 second_person_needed')
    await accepted(setMode(max, id, 'off', 1))
    expect(refusalOf(await setMode(mara, id, 'on', 2))).toBe('403 second_person_needed')
    await accepted(setMode(max, id, 'on', 2))
    // A change is off or in shadow mode again.
    await accepted(max.put(`${POLICIES}/${id}`, { ...shadow, version: 3 }))
    expect(refusalOf(await setMode(max, id, 'on', 4))).toBe('403 second_person_needed')
    expect((await setMode(mara, id, 'on', 4)).status).toBe(200)
  })

  it('is turned on by its author if nobody else may', async () => {
    const { id } = await add(owner)
    expect(refusalOf(await setMode(owner, id, 'on', 1))).toBe('403 second_person_needed')
    await server.pool.query("update administrators set disabled_at = now() where username in ('mara', 'max')")
    await accepted(setMode(owner, id, 'on', 1))
  })

  it.each([
    ['name', ''],
    ['name', 'a\nb'],
    ['brands', []],
    ['brands', ['nothing_like_this']],
    ['brands', 'amazon'],
    ['maxFaceValue', '0'],
    ['maxFaceValue', '1.005'],
    ['minAccountDays', -1],
    ['minAccountDays', 1.5],
    ['minCompletedSales', 'many'],
    ['waitMinutes', 1441],
    ['sellerLimit', ''],
    ['shopLimit', '1e400'],
    ['samplePercent', 4],
    ['samplePercent', '101'],
    ['mode', 'on'],
    ['paysAtOnce', 'yes'],
  ])('has no %s of %j', async (path, value) => {
    const { status, json } = await mara.post(POLICIES, { ...shadow, [path]: value })
    expect([status, json.errors?.[0]?.path.split('.')[0]]).toEqual([400, path])
  })

  it('is read by auditors, written by managers and owners in person, and closed to others', async () => {
    const { id } = await add()
    const [auditor, reviewer] = [await server.staff('aud', 'auditor'), await server.staff('rev', 'reviewer')]
    const reads = [POLICIES, `${POLICIES}/${id}/versions`, `${POLICIES}/${id}/report`]
    for (const path of reads) {
      expect((await auditor.get(path)).status).toBe(200)
      expect(refusalOf(await reviewer.get(path))).toBe('403 not_permitted')
    }
    const token = (await accepted(owner.post('/api/admin/tokens', { name: 'x', role: 'owner', days: 1 })))
      .json.token
    const calls: [string, object][] = [
      ['', shadow],
      [`/${id}/mode`, { mode: 'off', version: 1 }],
      ['/stop', {}],
      ['/start', {}],
    ]
    for (const [path, body] of calls) {
      expect(refusalOf(await auditor.post(POLICIES + path, body))).toBe('403 not_permitted')
      const bearer = { authorization: `Bearer ${token}` }
      expect(refusalOf(await server.visitor().post(POLICIES + path, body, bearer))).toBe(
        '403 person_required',
      )
    }
  })
})

it('stops and starts all policies, and tells the operator', async () => {
  const finding = async () =>
    (await owner.get('/api/admin/system')).json.findings.some(
      ({ code }: { code: string }) => code === 'policies_stopped',
    )
  expect(await finding()).toBe(false)
  const { stoppedAt } = (await accepted(mara.post(`${POLICIES}/stop`))).json
  expect(stoppedAt).toEqual(expect.any(String))
  expect((await accepted(max.post(`${POLICIES}/stop`))).json.stoppedAt).toBe(stoppedAt)
  expect(await finding()).toBe(true)
  expect((await accepted(max.post(`${POLICIES}/start`))).json.stoppedAt).toBeNull()
  expect(await finding()).toBe(false)
  const entries = (await owner.get('/api/admin/audit?subject=all')).json
  expect(entries.map(({ action }: { action: string }) => action)).toEqual([
    'policies.started',
    'policies.stopped',
  ])
})

it('compares what a policy in shadow mode says with what people decide', async () => {
  await balanceService(owner)
  const id = await policyIn('shadow', { author: mara, approver: max })
  const decided = async (...moves: object[]) => {
    const { submit } = await trustedSeller(server)
    const card = await submit()
    await workOnBalances(server)
    for (const move of moves) await accepted(owner.patch(`/api/admin/submissions/${card}/status`, move))
    return card
  }
  await decided()
  await decided({ status: 'processing' })
  await decided({ status: 'rejected', reason: 'Blurry' })
  await decided({ status: 'offered', amount: '50', reason: 'Used' })
  await decided({ status: 'processing' }, { status: 'failed', reason: 'Refused' })
  const bad = await decided({ status: 'completed' })
  await accepted(owner.patch(`/api/admin/inventory/${bad}`, { state: 'bad', from: 'in_stock' }))
  const { seller, submit } = await trustedSeller(server)
  await server.pool.query('update users set verified = false where id = $1', [seller.id])
  await submit()
  await workOnBalances(server)
  const weeks: PolicyWeek[] = (await owner.get(`${POLICIES}/${id}/report`)).json
  expect(weeks).toEqual([
    {
      week: expect.any(String),
      passed: 6,
      approved: 0,
      same: 1,
      different: 4,
      open: 1,
      cost: '279.00',
      people: 1,
    },
  ])
})

it('previews what the fields would have done with earlier cards', async () => {
  const preview = async (fields: object = {}) =>
    (await accepted(mara.post(`${POLICIES}/preview`, { ...policyTerms, ...fields }))).json
  expect(await preview()).toEqual({ cards: 0, passed: 0, price: '0.00', stopped: [] })
  const { seller, submit } = await trustedSeller(server)
  const earlier = { code: 'account_age', cards: 1 }
  await submit()
  await submit()
  await server.pool.query("update users set created_at = now() - interval '40 days'")
  await server.pool.query(
    "update gift_cards set status = 'completed', updated_at = created_at + interval '1 hour' where status = 'cancelled'",
  )
  expect(await preview({ minCompletedSales: 1 })).toEqual({
    cards: 3,
    passed: 2,
    price: '186.00',
    stopped: [earlier],
  })
  expect(await preview({ minCompletedSales: 1, sellerLimit: '100' })).toMatchObject({
    passed: 1,
    stopped: expect.arrayContaining([{ code: 'seller_limit', cards: 1 }]),
  })
  expect(await preview({ minCompletedSales: 1, brands: ['target'] })).toMatchObject({
    passed: 0,
    stopped: [{ code: 'brand', cards: 3 }],
  })
  await server.pool.query('update users set credentials_changed_at = now() where id = $1', [seller.id])
  await submittedIn('rejected', { seller, staff: owner })
  expect((await preview({ minCompletedSales: 1 })).stopped).toContainEqual({
    code: 'known_account',
    cards: 1,
  })
})
