import { describe, expect, it } from 'vitest'
import { type Route, refusalsOf } from '#contract/route.ts'
import { routes } from '#contract/routes.ts'
import { createTestApp } from '#test/app.ts'
import { codeFrom } from '#test/authenticator.ts'
import { accountMails } from '#test/mails.ts'
import { ADMIN_PASSWORD } from '#test/people.ts'
import type { Person } from '#test/person.ts'
import { signedInStaff } from '#test/signed-in.ts'
import { LiveClient } from '#test/socket.ts'
import { submitted } from '#test/submissions.ts'

const server = await createTestApp()
const owner = await server.staff()
const STAFF = '/api/admin/staff'

const listed = async (id: string) =>
  (await owner.get(STAFF)).json.find((person: { id: string }) => person.id === id)
const change = (by: Person, { id }: { id: string }, body: object) => by.patch(`${STAFF}/${id}`, body)
const logOf = async (subject: string, action: string) =>
  (await owner.get(`/api/admin/audit?subject=${subject}&action=${action}`)).json

/** The token of the only invitation that was emailed since the last call. */
async function mailedToken(): Promise<string> {
  const mails = await accountMails(server)
  const [token = '', ...more] = mails.flatMap(
    ({ text }) => /\/admin\/login\?invite=(\S+)/.exec(text)?.[1] ?? [],
  )
  expect(more).toEqual([])
  return token
}
const accept = (token: string, username: string, by = server.visitor()) =>
  by.post('/api/admin/invitation/accept', { token, username, password: 'a very good password' })

describe('the list', () => {
  it('shows what each person did', async () => {
    const rea = await server.staff('rea', 'reviewer')
    const seller = await server.seller()
    const [one, two] = [await submitted(seller), await submitted(seller)]
    for (const id of [one, two, two]) await rea.post(`/api/admin/submissions/${id}/reveal`)
    const [photo] = (await rea.get(`/api/admin/submissions/${one}`)).json.images
    const download = photo.replace('/uploads/', '/api/admin/download/')
    expect((await rea.get(download)).status).toBe(200)
    const move = (id: string, body: object) => rea.patch(`/api/admin/submissions/${id}/status`, body)
    await move(one, { status: 'under_review', reason: 'Which shop?' })
    await move(one, { status: 'rejected', reason: 'Blurry' })
    await move(two, { status: 'processing' })
    const three = await submitted(seller)
    for (const status of ['rejected', 'processing']) {
      const { version } = (await move(three, { status, reason: 'Blurry', undoable: true })).json
      await rea.post(`/api/admin/submissions/${three}/undo`, { version })
    }
    expect(await listed(rea.id)).toMatchObject({
      username: 'rea',
      email: null,
      role: 'reviewer',
      disabled: false,
      secondFactor: false,
      lastSignIn: expect.stringMatching(/Z$/),
      reveals: 3,
      decisions: 2,
      invitedUntil: null,
    })
    // The list links to these entries.
    const entries = (await owner.get('/api/admin/audit?actor=rea&action=revealed')).json
    expect(entries.map(({ subject }: { subject: string }) => subject)).toEqual([two, two, one])
    const decided = (await owner.get('/api/admin/audit?actor=rea&action=decided')).json
    expect(decided.map(({ subject }: { subject: string }) => subject)).toEqual([two, one])
  })
})

describe('an invitation', () => {
  it('creates an account once, with the role and the address', async () => {
    const invited = await owner.post(STAFF, { email: 'Nina@Example.com', role: 'payer' })
    expect(invited).toMatchObject({
      status: 201,
      json: { username: null, email: 'nina@example.com', role: 'payer', lastSignIn: null },
    })
    const token = await mailedToken()
    const offered = await server.visitor().post('/api/admin/invitation', { token })
    expect(offered.json).toMatchObject({ email: 'nina@example.com', role: 'payer' })

    const nina = server.visitor()
    expect((await accept(token, 'admin', nina)).json).toMatchObject({
      code: 'taken',
      errors: [{ path: 'username' }],
    })
    const leaked = { token, username: 'nina', password: 'password1' }
    expect((await nina.post('/api/admin/invitation/accept', leaked)).json.errors).toMatchObject([
      { path: 'password', code: 'password_leaked' },
    ])
    expect(await accept(token, 'nina', nina)).toMatchObject({
      status: 201,
      json: { id: invited.json.id, username: 'nina', role: 'payer' },
    })
    expect((await nina.get('/api/admin/me')).json).toMatchObject({ username: 'nina', role: 'payer' })
    expect(await listed(invited.json.id)).toMatchObject({ username: 'nina', email: 'nina@example.com' })
    expect((await accept(token, 'nina2')).json.errors).toMatchObject([
      { path: 'token', code: 'invitation_used' },
    ])
    expect((await owner.post(STAFF, { email: 'NINA@example.com', role: 'owner' })).json).toMatchObject({
      code: 'taken',
      errors: [{ path: 'email' }],
    })
    expect(await logOf('nina@example.com', 'admin.invited')).toMatchObject([
      { actor: 'admin', details: { role: 'payer' } },
    ])
    expect(await logOf('nina', 'admin.created')).toMatchObject([
      { actor: 'nina', details: { role: 'payer', email: 'nina@example.com' } },
    ])
    const { rows } = await server.pool.query('select i::text from staff_invitations i')
    expect(JSON.stringify(rows)).not.toContain(token)
  })

  it('replaces the earlier one to the same address', async () => {
    await owner.post(STAFF, { email: 'otto@example.com', role: 'owner' })
    const first = await mailedToken()
    await owner.post(STAFF, { email: 'OTTO@example.com', role: 'auditor' })
    const second = await mailedToken()
    expect((await server.visitor().post('/api/admin/invitation', { token: first })).status).toBe(400)
    const rows = (await owner.get(STAFF)).json
    expect(rows.filter(({ email }: { email: string }) => email === 'otto@example.com')).toMatchObject([
      { role: 'auditor' },
    ])
    expect((await accept(second, 'otto')).json.role).toBe('auditor')
  })

  it('can be revoked, and expires after two days', async () => {
    const { id, invitedUntil } = (await owner.post(STAFF, { email: 'pat@example.com', role: 'auditor' })).json
    expect((Date.parse(invitedUntil) - Date.now()) / 3600_000).toBeCloseTo(48, 1)
    const token = await mailedToken()
    await owner.delete(`${STAFF}/${id}`)
    expect((await accept(token, 'pat')).status).toBe(400)
    expect(await listed(id)).toBeUndefined()
    expect(await logOf('pat@example.com', 'admin.invitation_revoked')).toHaveLength(1)

    await owner.post(STAFF, { email: 'pat@example.com', role: 'auditor' })
    const late = await mailedToken()
    await server.pool.query('update staff_invitations set expires_at = now()')
    expect((await accept(late, 'pat')).json.errors).toMatchObject([{ code: 'invitation_used' }])
    expect((await owner.delete(`${STAFF}/${owner.id}`)).status).toBe(404)
  })

  it('is accepted by one of several concurrent requests', async () => {
    await owner.post(STAFF, { email: 'quinn@example.com', role: 'auditor' })
    const token = await mailedToken()
    const answers = await Promise.all(['q1', 'q2', 'q3'].map((name) => accept(token, name)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400])
  })

  /** A new owner who has invited another address of theirs. Returns the token of that invitation. */
  async function invitedBy(name: string) {
    const sender = await server.staff(name, 'owner')
    const answer = await sender.post(STAFF, { email: `${name}2@example.com`, role: 'owner' })
    return { sender, id: answer.json.id, token: await mailedToken() }
  }

  it.each([
    ['demoted', { role: 'manager' }, { role: 'owner' }],
    ['disabled', { disabled: true }, { disabled: false }],
  ])('ends for good when its sender is %s, who cannot come back by it', async (what, body, back) => {
    const { sender, id, token } = await invitedBy(`sam${what}`)
    await change(owner, sender, body)
    expect(await listed(id)).toBeUndefined()
    expect((await server.visitor().post('/api/admin/invitation', { token })).status).toBe(400)
    expect((await accept(token, `back${what}`)).json.errors).toMatchObject([{ code: 'invitation_used' }])
    await change(owner, sender, back)
    expect((await accept(token, `back${what}`)).status).toBe(400)
    await change(owner, sender, { disabled: true })
    expect(await logOf(`sam${what}2@example.com`, 'admin.invitation_revoked')).toMatchObject([
      { actor: 'admin' },
    ])
  })

  it('sent again by another owner is theirs', async () => {
    const { sender, token } = await invitedBy('ola')
    await owner.post(STAFF, { email: 'ola2@example.com', role: 'auditor' })
    const again = await mailedToken()
    await change(owner, sender, { disabled: true })
    expect((await accept(token, 'ola2')).status).toBe(400)
    expect((await accept(again, 'ola2')).json.role).toBe('auditor')
  })

  it('is refused even if it outlives its sender', async () => {
    const { sender, token } = await invitedBy('una')
    await server.pool.query("update administrators set role = 'manager' where id = $1", [sender.id])
    expect((await accept(token, 'una2')).json.errors).toMatchObject([{ code: 'invitation_used' }])
  })

  it('is accepted or revoked with its sender, but not both, at the same time', async () => {
    for (const name of ['vic', 'wim', 'xan']) {
      const { sender, token } = await invitedBy(name)
      const [accepted, disabled] = await Promise.all([
        accept(token, `${name}2`),
        change(owner, sender, { disabled: true }),
      ])
      expect(disabled.status).toBe(200)
      expect([201, 400]).toContain(accepted.status)
      expect(await logOf(`${name}2@example.com`, 'admin.invitation_revoked')).toHaveLength(
        accepted.status === 201 ? 0 : 1,
      )
      if (accepted.status === 201) await change(owner, accepted.json, { disabled: true })
    }
  })

  it('is not sent by an owner who is disabled at the same time', async () => {
    for (const name of ['yda', 'zac']) {
      const sender = await server.staff(name, 'owner')
      const [sent] = await Promise.all([
        sender.post(STAFF, { email: `${name}2@example.com`, role: 'owner' }),
        change(owner, sender, { disabled: true }),
      ])
      expect([201, 401]).toContain(sent.status)
      const { rows } = await server.pool.query('select 1 from staff_invitations where invited_by = $1', [
        sender.id,
      ])
      expect(rows).toEqual([])
    }
    await accountMails(server)
  })
})

describe('changing an account', () => {
  it.each([
    ['role', { role: 'auditor' }, 'admin.role_changed', 200],
    ['state', { disabled: true }, 'admin.disabled', 401],
  ])('ends sessions and sockets at once when the %s changes', async (name, body, action, signIn) => {
    const username = `zoe${name}`
    const zoe = await server.staff(username, 'reviewer')
    const socket = await LiveClient.open(await server.listen(), { cookie: zoe.cookieHeader })
    expect((await change(owner, zoe, body)).json).toMatchObject(body)
    expect((await zoe.get('/api/admin/me')).status).toBe(401)
    expect(await socket.closed).toBe(1000)
    const again = await server.visitor().post('/api/admin/login', { username, password: ADMIN_PASSWORD })
    expect(again.status).toBe(signIn)
    expect(await logOf(username, action)).toHaveLength(1)
    // The same change again does nothing.
    await change(owner, zoe, body)
    expect(await logOf(username, action)).toHaveLength(1)
  })

  it('enables an account again', async () => {
    const yan = await server.staff('yan', 'payer')
    await change(owner, yan, { disabled: true })
    await change(owner, yan, { disabled: false })
    expect((await signedInStaff(server.visitor(), 'yan')).id).toBe(yan.id)
    expect(await logOf('yan', 'admin.enabled')).toHaveLength(1)
  })

  it("turns off a colleague's second factor, but not your own", async () => {
    const kim = await server.staff('kim', 'owner')
    const { secret } = (await kim.post('/api/admin/totp/start', { password: ADMIN_PASSWORD })).json
    await kim.post('/api/admin/totp/confirm', { code: codeFrom(secret) })
    expect(await listed(kim.id)).toMatchObject({ secondFactor: true })
    expect((await change(kim, kim, { secondFactor: false })).json.code).toBe('second_person_needed')
    expect((await change(owner, kim, { secondFactor: false })).json.secondFactor).toBe(false)
    expect((await kim.get('/api/admin/me')).status).toBe(401)
    expect((await signedInStaff(server.visitor(), 'kim')).id).toBe(kim.id)
    await change(owner, kim, { role: 'auditor' })
  })

  it('names the field that is wrong', async () => {
    const answer = await change(owner, owner, { role: 'king', disabled: 'yes', secondFactor: true })
    expect(answer.json.errors.map(({ path }: { path: string }) => path)).toEqual([
      'role',
      'disabled',
      'secondFactor',
    ])
  })
})

describe('the last active owner', () => {
  it('cannot be demoted or disabled', async () => {
    for (const body of [{ role: 'manager' }, { disabled: true }]) {
      expect((await change(owner, owner, body)).json.code).toBe('last_owner')
    }
    expect((await owner.get('/api/admin/me')).json.role).toBe('owner')
  })

  it('remains when two owners demote each other at the same time', async () => {
    for (let round = 0; round < 3; round++) {
      const other = await server.staff(`olga${round}`)
      const answers = await Promise.all([
        change(owner, other, { role: 'auditor' }),
        change(other, owner, { disabled: true }),
      ])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, expect.any(Number)])
      const { rows } = await server.pool.query(
        `select id from administrators where role = 'owner' and disabled_at is null`,
      )
      expect(rows).toHaveLength(1)
      await server.pool.query(
        `update administrators set disabled_at = null, role = case when id = $1 then 'owner' else 'auditor' end`,
        [owner.id],
      )
      await signedInStaff(owner)
    }
  })
})

describe('REQUIRE_TOTP', () => {
  it('leaves staff without a second factor only what sets one up', async () => {
    const strict = await createTestApp({ requireTotp: true })
    const person = await strict.staff()
    expect((await person.get('/api/admin/me')).json).toMatchObject({ needsSecondFactor: true })
    const all: Route[] = Object.values(routes)
    const allowed = all.filter(({ withoutSecondFactor }) => withoutSecondFactor)
    expect(allowed.map(({ path }) => path).sort()).toEqual([
      '/api/admin/me',
      '/api/admin/passkeys',
      '/api/admin/passkeys',
      '/api/admin/passkeys/registration',
      '/api/admin/totp',
      '/api/admin/totp/confirm',
      '/api/admin/totp/start',
    ])
    for (const route of all.filter((one) => refusalsOf(one).includes('totp_setup_required'))) {
      const url = route.path.replace(/:\w+|\*/, '01890000-0000-7000-8000-000000000000')
      const answer = await person.send({ method: route.method, url })
      expect([url, answer.status, answer.json.code]).toEqual([url, 403, 'totp_setup_required'])
    }
    const address = await strict.listen()
    await expect(LiveClient.open(address, { cookie: person.cookieHeader })).rejects.toThrow('403')

    const { secret } = (await person.post('/api/admin/totp/start', { password: ADMIN_PASSWORD })).json
    await person.post('/api/admin/totp/confirm', { code: codeFrom(secret) })
    expect((await person.get(STAFF)).status).toBe(200)
    expect((await person.get('/api/admin/me')).json).toMatchObject({ needsSecondFactor: false })
    const socket = await LiveClient.open(address, { cookie: person.cookieHeader })
    await person.post('/api/admin/totp/stop', { code: codeFrom(secret, { stepsAhead: 1 }) })
    expect(await socket.closed).toBe(1000)
    expect((await person.get(STAFF)).json.code).toBe('totp_setup_required')
    expect((await person.post('/api/admin/logout')).status).toBe(200)
  })
})
