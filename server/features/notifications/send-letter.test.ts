import { beforeAll, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '#test/app.ts'
import { confirmEmail, mailWithLink, sendMails } from '#test/mails.ts'
import type { Person } from '#test/person.ts'
import { field, image, photo, submitted } from '#test/submissions.ts'

let server: TestApp
let staff: Person
beforeAll(async () => {
  server = await createTestApp()
  staff = await server.staff()
})

// Everything that a stranger can type who registers another person's address.
const typed = {
  firstName: 'QUUX your card at http://evil.example',
  lastName: 'QUUX Lastname',
  username: 'QUUX-username',
}
const card = {
  brand: 'quux_evil_example',
  denomination: '100',
  sellingPrice: '85.00',
  discountPercentage: '15.00',
  submissionNotes: 'QUUX notes',
  paymentAccountName: 'QUUX account',
  paymentAccountInfo: 'quux@evil.example',
}

/** Triggers every email about an account and a submission. */
async function everyMail(person: Person, email: string) {
  const move = (id: string, status: string, reason?: string) =>
    staff.patch(`/api/admin/submissions/${id}/status`, { status, reason })
  const method = { type: 'paypal', accountName: 'QUUX', accountInfo: 'quux@pay.example' }
  const saved = await person.post('/api/payment-methods', method)
  await person.delete(`/api/payment-methods/${saved.json.id}`)
  await person.put('/api/user/password', {
    currentPassword: 'a quite good password',
    newPassword: 'QUUX in a password',
  })
  await person.post('/api/user/confirm-email')
  const id = await submitted(person, card)
  await move(id, 'under_review', 'Which shop?')
  const answer = [field('message', 'QUUX answer'), image(await photo())]
  expect((await person.upload(`/api/user/gift-cards/${id}/answer`, answer)).status).toBe(200)
  for (const status of ['processing', 'failed', 'processing', 'completed']) await move(id, status, 'Because')
  await move(await submitted(person, { ...card, cardNumber: 'QUUX 4711' }), 'rejected', 'Because')
  const withdrawn = await submitted(person, { ...card, cardNumber: 'QUUX 4712' })
  await person.post(`/api/user/gift-cards/${withdrawn}/withdraw`)
  const { firstName, lastName } = typed
  await person.put('/api/user/profile', {
    firstName,
    lastName,
    email: `${email.replace('@', '.')}@evil.example`,
  })
  await person.put('/api/user/profile', { firstName, lastName, email })
  await server.visitor().post('/api/auth/forgot-password', { email })
  return sendMails(server)
}

const register = (person: Person, email: string, fields: object = {}) =>
  person.post('/api/auth/register', { ...typed, email, password: 'a quite good password', ...fields })

it('sends nothing that a stranger typed to an unconfirmed address', async () => {
  const person = server.visitor()
  expect((await register(person, 'victim@example.com')).status).toBe(201)
  const mails = await everyMail(person, 'victim@example.com')
  const { token } = mailWithLink(mails, '/restore-email')
  await server.visitor().post('/api/auth/restore-email', { token })
  mails.push(...(await sendMails(server)))
  expect(mails.length).toBeGreaterThan(18)
  for (const { to, subject, text, html } of mails) {
    expect(to).toMatch(/victim@example\.com$/)
    expect(`${subject}${text}${html}`).not.toMatch(/quux|evil/i)
  }
  expect(mails.map(({ subject }) => subject)).toContain('We received your card')
  expect(mails.map(({ subject }) => subject)).toContain('Paid: $85.00 for your card')
})

it('greets the owner of a confirmed address by name and names an unlisted brand', async () => {
  const person = server.visitor()
  await register(person, 'owner@example.com', { username: 'owner' })
  await confirmEmail(server, person)
  const mails = await everyMail(person, 'owner@example.com')
  const completed = mails.find(({ subject }) => subject === 'Paid: $85.00 for your Quux Evil Example card')
  expect(completed?.text).toContain(`Hello ${typed.firstName},`)
  const changed = mails.find(({ subject }) => subject === 'Your email address was changed')
  expect(changed?.text).toMatch(/has a new email address: o\S*@evil\.example\./)
})

const subjects = [
  [
    'Welcome to Unspent: please confirm your email address',
    'Le damos la bienvenida a Unspent: confirme su correo electrónico',
  ],
  ['A payment method was added', 'Se agregó un método de pago'],
  ['A payment method was removed', 'Se eliminó un método de pago'],
  ['Your password was changed', 'Se cambió su contraseña'],
  ['We received your Quux Evil Example card', 'Recibimos su tarjeta de Quux Evil Example'],
  ['A question about your Quux Evil Example card', 'Una pregunta sobre su tarjeta de Quux Evil Example'],
  [
    'We received your answer about your Quux Evil Example card',
    'Recibimos su respuesta sobre su tarjeta de Quux Evil Example',
  ],
  [
    'Approved: $85.00 for your Quux Evil Example card',
    'Aprobada: $85.00 por su tarjeta de Quux Evil Example',
  ],
  [
    'Your payout of $85.00 for your Quux Evil Example card did not go through',
    'No pudimos hacer su pago de $85.00 por su tarjeta de Quux Evil Example',
  ],
  [
    'We are sending your payout again: $85.00 for your Quux Evil Example card',
    'Estamos enviando otra vez su pago: $85.00 por su tarjeta de Quux Evil Example',
  ],
  ['Paid: $85.00 for your Quux Evil Example card', 'Pagado: $85.00 por su tarjeta de Quux Evil Example'],
  ['We could not accept your Quux Evil Example card', 'No pudimos aceptar su tarjeta de Quux Evil Example'],
  ['You withdrew your Quux Evil Example card', 'Usted retiró su tarjeta de Quux Evil Example'],
  ['Your email address was changed', 'Se cambió su correo electrónico'],
  ['Set a new password', 'Cree una contraseña nueva'],
  ['Confirm your email address', 'Confirme su correo electrónico'],
] as const

it.each([
  ['en', 'http://localhost/', subjects.map(([english]) => english)],
  ['es', 'http://localhost/es/', subjects.map(([, spanish]) => spanish)],
] as const)('is in the language of the account: %s', async (locale, address, expected) => {
  const person = server.visitor()
  const email = `all-${locale}@example.com`
  await register(person, email, { username: `all-${locale}` })
  await person.put('/api/user/locale', { locale })
  await person.post('/api/user/confirm-email')
  const mails = await sendMails(server)
  const { token } = mailWithLink([...mails].reverse(), '/confirm-email')
  expect((await person.post('/api/auth/confirm-email', { token })).status).toBe(200)
  mails.push(...(await everyMail(person, email)))
  await server
    .visitor()
    .post('/api/auth/restore-email', { token: mailWithLink(mails, '/restore-email').token })
  mails.push(...(await sendMails(server)))
  expect([...new Set(mails.map(({ subject }) => subject))].sort()).toEqual([...expected].sort())
  const links = /: http:\S+$/gm
  for (const { text, html } of mails) {
    const [body, footer] = text.split('\n-- \n')
    expect(body).toMatch(links)
    for (const link of `${body}${footer}`.match(links) ?? []) expect(link).toContain(address)
    expect(html).toContain(`<html lang="${locale}">`)
    const prose = text.replaceAll(typed.firstName, '').replaceAll(/http:\S+/g, '')
    if (locale === 'es') expect(prose).not.toMatch(/\b(the|your|you|card|account|password)\b/i)
  }
  const noted = mails.some(({ text }) => text.includes('\nBecause\nEscrito por nuestro equipo\n'))
  expect(noted).toBe(locale === 'es')
})

it.each(['\n', '\r', '\u2028', '\u0085', '\u001b', '\t'])('refuses names with %j', async (character) => {
  const name = `Ann${character}Your card was rejected`
  const registered = await register(server.visitor(), 'a@example.com', { firstName: name, lastName: name })
  expect([registered.status, registered.json.errors.map(({ path }: { path: string }) => path)]).toEqual([
    400,
    ['firstName', 'lastName'],
  ])
  const contact = { firstName: name, lastName: name, subject: name, email: 'v@example.com' }
  const asked = await server.visitor().post('/api/contact', { ...contact, message: 'Long enough\nas it is' })
  expect(asked.json.errors.map(({ path }: { path: string }) => path)).toEqual([
    'firstName',
    'lastName',
    'subject',
  ])
  const seller = await server.seller()
  const profile = { firstName: name, lastName: 'Ann', email: 'a@example.com' }
  expect((await seller.put('/api/user/profile', profile)).json.errors).toEqual([
    {
      path: 'firstName',
      message: 'Please use a single line without control characters',
      code: 'line_breaks',
    },
  ])
  const method = { type: 'paypal', accountInfo: 'a@example.com', accountName: name }
  expect((await seller.post('/api/payment-methods', method)).json.errors[0].path).toBe('accountName')
  await expect(submitted(seller, { paymentAccountName: name })).rejects.toThrow('paymentAccountName')
})
