import { beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '#test/app.ts'
import { newSeller } from '#test/people.ts'
import type { Person } from '#test/person.ts'
import { submittedIn } from '#test/submissions.ts'

let server: TestApp
let seller: Person
let staff: Person
beforeAll(async () => {
  server = await createTestApp()
  seller = await server.seller()
  staff = await server.staff()
  const changed = await seller.put('/api/user/locale', { locale: 'es' })
  expect([changed.status, changed.json.user.locale]).toEqual([200, 'es'])
})

const signIn = { email: 'nobody@example.com', password: 'not the right one' }
const WRONG = {
  en: 'Invalid credentials',
  es: 'El correo electrónico o la contraseña no son correctos',
}

describe('a visitor', () => {
  it.each([
    [undefined, 'en'],
    ['', 'en'],
    ['es', 'es'],
    ['es-MX', 'es'],
    ['es-419,es;q=0.9,en;q=0.8', 'es'],
    ['en-US,en;q=0.9,es;q=0.8', 'en'],
    ['en;q=0.5, es;q=0.9', 'es'],
    ['fr-CA, es;q=0.4, en;q=0.2', 'es'],
    ['fr, de', 'en'],
    ['*', 'en'],
    ['es;q=0, en', 'en'],
    ['ES', 'es'],
    ['nonsense;;q=,,=', 'en'],
  ] as const)('with Accept-Language %j is answered in %s', async (header, locale) => {
    const headers = header === undefined ? {} : { 'accept-language': header }
    const answer = await server.visitor().post('/api/auth/login', signIn, headers)
    expect([answer.status, answer.json]).toEqual([
      401,
      { code: 'invalid_credentials', message: WRONG[locale] },
    ])
  })

  it.each([
    ['GET', '/no-such-page', 404, 'No se encontró'],
    ['GET', '/api/no-such-call', 404, 'No se encontró'],
    ['GET', '/api/auth/me', 401, 'Inicie sesión'],
    ['GET', '/api/%ff', 400, 'La solicitud no es válida'],
    ['POST', '/api/auth/login', 400, 'La solicitud no es válida', '{"email":'],
    ['POST', '/api/auth/login', 413, 'La solicitud es demasiado grande', JSON.stringify('x'.repeat(300_000))],
  ] as const)('answers in Spanish to %s %s: %d', async (method, url, status, message, payload?: string) => {
    const headers = { 'accept-language': 'es', ...(payload && { 'content-type': 'application/json' }) }
    const answer = await server.visitor().send({ method, url, headers, ...(payload && { payload }) })
    expect([answer.status, answer.json.message]).toEqual([status, message])
  })

  it('gets the codes and limits of wrong fields with their texts', async () => {
    const answer = await server
      .visitor()
      .post(
        '/api/auth/register',
        { ...newSeller(), email: 'nobody', password: 'short', firstName: 7, lastName: 'x'.repeat(101) },
        { 'accept-language': 'es' },
      )
    expect(answer.json).toEqual({
      code: 'invalid',
      message: 'Escriba un correo electrónico válido',
      errors: [
        { path: 'email', code: 'email_invalid', message: 'Escriba un correo electrónico válido' },
        {
          path: 'password',
          code: 'password_too_short',
          message: 'La contraseña debe tener al menos 8 caracteres',
          params: { minimum: 8 },
        },
        { path: 'firstName', code: 'first_name_required', message: 'Escriba su nombre' },
        {
          path: 'lastName',
          code: 'too_long',
          message: 'Máximo 100 caracteres',
          params: { maximum: 100 },
        },
      ],
    })
  })

  it.each([
    ['en', 'Must be of type string'],
    ['es', 'Debe ser de tipo string'],
  ])('gets zod’s own errors in %s', async (locale, message) => {
    const sent = { ...newSeller(), phoneNumber: 5550100 }
    const answer = await server.visitor().post('/api/auth/register', sent, { 'accept-language': locale })
    expect(answer.json.errors).toEqual([
      { path: 'phoneNumber', code: 'wrong_type', message, params: { type: 'string' } },
    ])
  })

  it('who registers keeps the language', async () => {
    const person = server.visitor()
    const sent = newSeller()
    const headers = { 'accept-language': 'es-US' }
    expect((await person.post('/api/auth/register', sent, headers)).json.user.locale).toBe('es')
    const again = await person.post('/api/auth/register', sent, headers)
    expect([again.status, again.json.errors]).toEqual([
      409,
      [
        {
          path: 'username',
          code: 'username_taken',
          message: 'Este nombre de usuario ya está en uso',
        },
        { path: 'email', code: 'email_taken', message: 'Este correo electrónico ya está registrado' },
      ],
    ])
  })
})

describe('a seller with a Spanish account', () => {
  const english = { 'accept-language': 'en-US,en' }

  it('is refused in Spanish, whatever the browser prefers', async () => {
    const id = '01890000-0000-7000-8000-000000000000'
    const answer = await seller.post(`/api/user/gift-cards/${id}/withdraw`, undefined, english)
    expect([answer.status, answer.json.message]).toEqual([404, 'No se encontró'])
  })

  it.each([
    ['/api/contact', { message: 'x'.repeat(20) }],
    ['/api/contact/message', {}],
    ['/api/auth/register', {}],
    ['/api/auth/login', {}],
    ['/api/auth/forgot-password', {}],
    ['/api/auth/reset-password', {}],
    ['/api/auth/restore-email', {}],
    ['/api/auth/passkeys/verify', {}],
  ])('reads in Spanish what is wrong with the fields of %s', async (path, form) => {
    const spanish = await server.visitor().post(path, form, { 'accept-language': 'es' })
    expect(spanish.json.errors).not.toEqual([])
    const answer = await seller.post(path, form, english)
    expect([answer.status, answer.json]).toEqual([400, spanish.json])
    const [stranger, stale] = [server.visitor(), server.visitor()]
    stale.cookies.set('unspent_session', 'of a session that has ended')
    for (const person of [stranger, stale]) {
      const refused = await person.post(path, form, english)
      expect([refused.status, refused.json.message]).toEqual([400, expect.any(String)])
      expect(refused.json.message).not.toBe(spanish.json.message)
    }
  })

  it('reads in Spanish that a contact thread does not exist, and English at the sign-in of staff', async () => {
    const messages = await seller.get('/api/contact/messages?sessionId=x', english)
    expect(messages.json.message).toBe('No se encontró')
    const staffSignIn = await seller.post('/api/admin/login', { username: 'admin', password: 'x' }, english)
    expect(staffSignIn.json.message).toBe('Invalid admin credentials')
  })

  it('reads in Spanish what happened to a submission', async () => {
    const id = await submittedIn('cancelled', { seller, staff })
    const { json } = await seller.post(`/api/user/gift-cards/${id}/withdraw`, undefined, english)
    expect(json.message).toMatch(
      /^Usted la retiró hace .+\. Ahora figura como “Cancelada” y no puede pasar a “Cancelada”\.$/,
    )
    expect(json.params).toMatchObject({ status: 'Cancelada', next: 'Cancelada' })
  })

  it('reads successes in Spanish', async () => {
    const answer = await seller.post('/api/user/confirm-email', undefined, english)
    expect(answer.json.message).toBe(
      'Si aún no ha confirmado su correo electrónico, le enviamos un enlace nuevo',
    )
  })

  it('changes back to English', async () => {
    const person = await server.seller()
    await person.put('/api/user/locale', { locale: 'es' })
    const french = await person.put('/api/user/locale', { locale: 'fr' })
    expect([french.status, french.json.errors]).toEqual([
      400,
      [{ path: 'locale', code: 'locale_unknown', message: 'Elija en o es' }],
    ])
    await person.put('/api/user/locale', { locale: 'en' })
    const refused = await person.put('/api/user/locale', {})
    expect(refused.json.message).toBe('Please choose en or es')
  })
})

describe('staff', () => {
  const spanish = { 'accept-language': 'es' }

  it('are answered in English', async () => {
    const refused = await staff.get('/api/admin/submissions?limit=0', spanish)
    expect(refused.json.errors).toEqual([
      {
        path: 'limit',
        code: 'limit_out_of_range',
        message: 'Limit must be a number from 1 to 200',
        params: { maximum: 200 },
      },
    ])
    const done = await staff.send({ method: 'DELETE', url: '/api/admin/submissions', headers: spanish })
    expect(done.json.message).toBe('1 submission cleared')
  })

  it('sign in in English', async () => {
    const answer = await server
      .visitor()
      .post('/api/admin/login', { username: 'admin', password: 'wrong' }, spanish)
    expect(answer.json.message).toBe('Invalid admin credentials')
    const visitor = await server.visitor().get('/api/admin/me', spanish)
    expect(visitor.json.message).toBe('Please sign in as an administrator')
  })
})
