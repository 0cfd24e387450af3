import { describe, expect, it } from 'vitest'
import { createTestApp } from '#test/app.ts'
import { field, image, moveAnyway, photo, submitted } from '#test/submissions.ts'
import { withoutRandom } from '#test/without-random.ts'

const server = await createTestApp()
const seller = await server.seller()
const staff = await server.staff()

describe('revealing', () => {
  it('returns the full values and records it in the audit log without them', async () => {
    const id = await submitted(seller, { cardNumber: 'REVEAL 1234 5678', securityCode: '4321' })
    const answer = await staff.post(`/api/admin/submissions/${id}/reveal`)
    expect(answer.json).toMatchObject({ cardNumber: 'REVEAL 1234 5678', securityCode: '4321' })
    const { rows } = await server.pool.query(
      "select * from audit_log where action = 'submission.revealed' and subject_id = $1",
      [id],
    )
    expect(rows).toMatchObject([{ actor_name: 'admin', actor_id: staff.id }])
    expect(withoutRandom(JSON.stringify(rows))).not.toContain('4321')
  })

  it('shows each role only what it may see, and records what that was', async () => {
    const id = await submitted(seller, { cardNumber: 'ROLES 1234 5678', securityCode: '4321' })
    const card = { cardNumber: 'ROLES 1234 5678', securityCode: '4321' }
    const account = { paymentAccountInfo: 'sally@example.com' }
    const hidden = { cardNumber: null, securityCode: null, paymentAccountInfo: null }
    for (const [role, shown, what] of [
      ['reviewer', card, ['card_number', 'pin']],
      ['payer', account, ['account']],
      ['manager', { ...card, ...account }, ['card_number', 'pin', 'account']],
    ] as const) {
      const person = await server.staff(`${role}1`, role)
      const answer = await person.post(`/api/admin/submissions/${id}/reveal`)
      expect(answer.json).toMatchObject({ ...hidden, ...shown })
      const log = await staff.get(`/api/admin/audit?action=submission.revealed&actor=${role}1`)
      expect(log.json).toMatchObject([{ subject: id, details: { what } }])
    }
  })

  it('shows a card that we own only to those who may use it', async () => {
    const id = await submitted(seller, { cardNumber: 'OWNED 1234 5678' })
    const path = `/api/admin/submissions/${id}`
    await staff.patch(`${path}/status`, { status: 'under_review', reason: 'And the back?' })
    await seller.upload(`/api/user/gift-cards/${id}/answer`, [image(await photo(98))])
    const [name] = (await staff.get(path)).json.images.map((image: string) => image.replace('/uploads/', ''))
    const [reviewer, payer, manager] = [
      await server.staff('reviewer3', 'reviewer'),
      await server.staff('payer3', 'payer'),
      await server.staff('manager3', 'manager'),
    ]
    const number = { cardNumber: 'OWNED 1234 5678' }
    expect((await reviewer.post(`${path}/reveal`)).json).toMatchObject(number)
    const { json: completed } = await moveAnyway(reviewer, id, { status: 'completed', undoable: true })
    expect(completed.images).toEqual([])

    for (const answer of [
      await reviewer.post(`${path}/reveal`),
      await reviewer.get(`/api/admin/view/${name}`),
      await reviewer.get(`/api/admin/view/${name}?size=thumbnail`),
      await reviewer.get(`/api/admin/download/${name}`),
    ]) {
      expect([answer.status, answer.json.code]).toEqual([403, 'not_permitted'])
    }
    const views = [
      await reviewer.get(path),
      await reviewer.get(`${path}/history`),
      await reviewer.get('/api/admin/submissions'),
    ]
    expect(views.map(({ text }) => text).join()).not.toContain(name)
    expect((await payer.post(`${path}/reveal`)).json).toMatchObject({
      cardNumber: null,
      paymentAccountInfo: expect.any(String),
    })
    expect((await manager.post(`${path}/reveal`)).json).toMatchObject(number)
    expect((await manager.get(`/api/admin/view/${name}`)).status).toBe(200)

    expect((await reviewer.post(`${path}/undo`, { version: completed.version })).status).toBe(200)
    expect((await reviewer.post(`${path}/reveal`)).json).toMatchObject(number)
    expect((await reviewer.get(path)).text).toContain(name)
  })

  it('gives photos only to those who may see them', async () => {
    const id = await submitted(seller)
    const path = `/api/admin/submissions/${id}`
    await staff.patch(`${path}/status`, { status: 'under_review', reason: 'And the back?' })
    await seller.upload(`/api/user/gift-cards/${id}/answer`, [image(await photo(99))])
    const [whole] = (await staff.get(path)).json.images
    for (const role of ['payer', 'auditor'] as const) {
      const person = await server.staff(`${role}2`, role)
      const views = [await person.get(path), ...(await person.get('/api/admin/submissions')).json]
      expect(JSON.stringify(views)).not.toContain('/uploads')
      expect((await person.get(`${path}/history`)).text).not.toContain('/uploads')
      expect((await person.get(whole.replace('/uploads', '/api/admin/view'))).json.code).toBe('not_permitted')
    }
  })
})

it('shows support names, statuses and prices, and nothing else of a submission or a seller', async () => {
  const sue = await server.staff('sue', 'support')
  const said = 'xqwzk, call 212 555 0100'
  const account = { paymentAccountInfo: 'xqwzkpay@example.com', paymentAccountName: 'Xqwzk Holder' }
  const id = await submitted(seller, { ...account, submissionNotes: said })
  const path = `/api/admin/submissions/${id}`
  await staff.post('/api/admin/notes', { submissionId: id, text: said })
  await staff.post('/api/admin/holds', { submissionId: id, reason: said })
  await staff.post(`${path}/balance-checks`, { amount: '80', source: 'website', note: said })
  const { cardNumber } = (await staff.get(path)).json
  await seller.post('/api/chat/messages', { message: 'My card is 6006 4930 1234 5678' })

  const { username } = (await seller.get('/api/auth/me')).json.user
  const { json } = await sue.get(path)
  expect(json).toMatchObject({ status: 'pending', quote: '93.00', user: { username }, cardFormat: null })
  const shown = [
    await sue.get(path),
    await sue.get(`/api/admin/submissions?q=${username}`),
    await sue.get(`/api/admin/transactions?q=${username}`),
    await sue.get(`/api/admin/users?q=${username}`),
    await sue.get(`/api/admin/seller?id=${seller.id}`),
    await sue.get(`/api/admin/chat/messages?userId=${seller.id}`),
  ]
  expect(shown.map(({ status }) => status)).toEqual(shown.map(() => 200))
  const all = withoutRandom(shown.map(({ text }) => text).join())
  for (const part of ['xqwzk', 'Xqwzk', '/uploads', '4930', cardNumber.slice(-4), '80.00'])
    expect(all).not.toContain(part)
  expect((await sue.get(`/api/admin/submissions?q=${cardNumber.slice(-4)}`)).json).toEqual([])
  for (const route of ['history', 'balance-checks', 'duplicates', 'seller-record'])
    expect((await sue.get(`${path}/${route}`)).status).toBe(403)
  for (const list of ['notes', 'holds'])
    expect((await sue.get(`/api/admin/${list}?submissionId=${id}`)).status).toBe(403)
  expect((await sue.patch(`${path}/status`, { status: 'rejected', reason: 'No' })).status).toBe(403)
})

describe('a card number in a text', () => {
  const CARD = '6006 4930 1234 5678'
  const text = `The number is ${CARD} and the PIN 9876`

  it('is masked in the notes that the seller reads again', async () => {
    const id = await submitted(seller, { submissionNotes: text })
    const { json } = await seller.get(`/api/user/gift-cards?id=${id}`)
    expect(json[0]).toMatchObject({ id, notes: 'The number is •••• and the PIN ••••' })
  })

  it('is masked for roles that may not see cards', async () => {
    const id = await submitted(seller, { submissionNotes: text })
    const path = `/api/admin/submissions/${id}`
    await staff.patch(`${path}/status`, { status: 'under_review', reason: text })
    await seller.upload(`/api/user/gift-cards/${id}/answer`, [field('message', text)])
    await staff.post('/api/admin/notes', { submissionId: id, text })
    await staff.post('/api/admin/holds', { submissionId: id, reason: text })
    await staff.post(`${path}/balance-checks`, { amount: '80', source: 'website', note: text })
    await staff.patch(`/api/admin/seller?id=${seller.id}`, { state: 'held', reason: text })
    const twin = await submitted(seller, { paymentAccountInfo: 'twin@example.com' })
    await submitted(seller, { paymentAccountInfo: 'twin@example.com' })
    await staff.patch(`/api/admin/submissions/${twin}/status`, { status: 'rejected', reason: text })

    for (const role of ['payer', 'auditor', 'reviewer'] as const) {
      const reader = await server.staff(`${role}4`, role)
      const shown = [
        await reader.get(path),
        await reader.get(`/api/admin/submissions?q=${id}`),
        await reader.get(`${path}/history`),
        await reader.get(`${path}/balance-checks`),
        await reader.get(`${path}/duplicates`),
        await reader.get(`/api/admin/submissions/${twin}`),
        await reader.get(`/api/admin/notes?submissionId=${id}`),
        await reader.get(`/api/admin/holds?submissionId=${id}`),
        await reader.get(`/api/admin/seller?id=${seller.id}`),
      ]
      for (const { status, text: answer } of shown) {
        expect(status).toBe(200)
        if (role === 'reviewer') continue
        expect(withoutRandom(answer)).not.toMatch(/4930|9876/)
      }
      const all = shown.map(({ text: answer }) => answer).join()
      expect(all.split(role === 'reviewer' ? text : 'The number is ••••').length).toBeGreaterThan(8)
    }
    expect((await seller.get(`/api/user/gift-cards/${id}/history`)).text).toContain(CARD)
  })
})
