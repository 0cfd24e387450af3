import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Mail } from '#server/mail/mailer.ts'
import { createTestApp, type TestApp } from '#test/app.ts'
import { contacted } from '#test/chat.ts'
import { sendMails } from '#test/mails.ts'
import type { Person } from '#test/person.ts'

let server: TestApp
let staff: Person
beforeAll(async () => {
  server = await createTestApp()
  staff = await server.staff()
})
beforeEach(async () => {
  await server.pool.query('delete from jobs')
})

const reply = (userId: string, message: string) => staff.post('/api/admin/chat/reply', { userId, message })
const replyToVisitor = (sessionId: string, message: string) =>
  staff.post('/api/admin/contact/reply', { sessionId, message })
const newJobs = async () =>
  (
    await server.pool.query(
      `select extract(epoch from run_at - created_at)::int as seconds from jobs
       where kind = 'replyMail' and done_at is null`,
    )
  ).rows

/** The mails that are sent once five minutes have passed. */
async function mailsLater(): Promise<Mail[]> {
  await server.pool.query("update jobs set run_at = now() where kind = 'replyMail' and done_at is null")
  return (await sendMails(server)).filter(({ subject }) => subject === 'Support replied to you')
}

describe('a reply in the chat that nobody reads', () => {
  it('is mailed after five minutes, with all other unread ones and a link to the conversation', async () => {
    const seller = await server.seller('unread')
    await reply(seller.id, 'Which shop is it from?')
    await reply(seller.id, 'We have\ntwo questions.')
    expect(await newJobs()).toEqual([{ seconds: 300 }])
    const [mail, ...others] = await mailsLater()
    expect(others).toEqual([])
    expect(mail).toMatchObject({ to: 'unread@example.com' })
    expect(mail?.text).toContain('Which shop is it from?\n\nWe have\ntwo questions.')
    expect(mail?.text).toContain('http://localhost/processing?chat=open')
    // The same stretch of unread replies: they know.
    await reply(seller.id, 'Are you there?')
    expect(await mailsLater()).toEqual([])
    await seller.post('/api/chat/mark-read')
    await reply(seller.id, 'Thank you.')
    const [next] = await mailsLater()
    expect(next?.text).toContain('Thank you.')
    expect(next?.text).not.toContain('Are you there?')
  })

  it('is not mailed when it was read meanwhile', async () => {
    const seller = await server.seller()
    await reply(seller.id, 'Hello')
    await seller.post('/api/chat/mark-read')
    expect(await mailsLater()).toEqual([])
  })

  it('is mailed once by several servers', async () => {
    for (const seller of [await server.seller(), await server.seller()]) await reply(seller.id, 'Hello')
    await server.pool.query('update jobs set run_at = now()')
    const mails = (await Promise.all([sendMails(server), sendMails(server)])).flat()
    expect(mails.filter(({ subject }) => subject === 'Support replied to you')).toHaveLength(2)
  })
})

describe('a reply to the contact form that nobody reads', () => {
  const form = {
    firstName: 'Buy-pills',
    lastName: 'At evil.example',
    email: 'stranger@example.com',
    subject: 'Your prize',
    message: 'Claim it at evil.example now',
  }

  it('is mailed with its own link, without a word of what the form held and without a card number', async () => {
    const { sessionId } = await contacted(server, form)
    await replyToVisitor(sessionId, 'Please do not send 4111 1111 1111 1111 again.')
    const [mail, ...others] = await mailsLater()
    expect(others).toEqual([])
    expect(mail?.to).toBe('stranger@example.com')
    expect(mail?.text).toContain(`http://localhost/contact/chat?session=${sessionId}`)
    expect(mail?.text).toContain('Please do not send')
    const { text, html, subject } = mail ?? { text: '', html: '', subject: '' }
    expect(text + html + subject).not.toMatch(/pills|evil|prize|claim|4111|1111/i)
  })

  it('is read by a visitor who fetches the messages, and by nobody else', async () => {
    const { visitor, sessionId } = await contacted(server, form)
    const messages = `/api/contact/messages?sessionId=${sessionId}`
    await replyToVisitor(sessionId, 'First')
    await staff.get(messages)
    await visitor.get(`${messages}&peek=true`)
    expect(await mailsLater()).toHaveLength(1)
    await visitor.get(messages)
    await replyToVisitor(sessionId, 'Second')
    await visitor.get(messages)
    expect(await mailsLater()).toEqual([])
    expect((await visitor.get(messages)).json.map(({ read }: { read: boolean }) => read).slice(1)).toEqual([
      true,
      true,
    ])
  })
})
