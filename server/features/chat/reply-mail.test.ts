import { randomUUID } from 'node:crypto'
import { copyFile, mkdtemp, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { jobHandlers } from '#server/job-handlers.ts'
import { migrate, migrationsFolder } from '#server/platform/database/migrate.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import type { JobHandlers } from '#server/platform/jobs/worker.ts'
import type { Mail } from '#server/platform/mail/mailer.ts'
import { createTestApp, type TestApp } from '#test/app.ts'
import { contacted } from '#test/chat.ts'
import { createTestDatabase } from '#test/database.ts'
import { sendMails } from '#test/mails.ts'
import type { Person } from '#test/person.ts'
import { lockThread } from './queries.ts'
import { send } from './send.ts'

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

const makeDue = () =>
  server.pool.query("update jobs set run_at = now() where kind = 'replyMail' and done_at is null")
const replyMails = async (handlers?: Partial<JobHandlers>) =>
  (await sendMails(server, handlers)).filter(({ subject }) => subject === 'Support replied to you')

/** Runs the jobs that are due after five minutes. @returns the mails */
async function mailsLater(handlers?: Partial<JobHandlers>): Promise<Mail[]> {
  await makeDue()
  return replyMails(handlers)
}

describe('an unread reply to a seller', () => {
  it('is emailed after five minutes, with all other unread replies and a link to the conversation', async () => {
    const seller = await server.seller('unread')
    await reply(seller.id, 'Which shop is it from?')
    await reply(seller.id, 'We have\ntwo questions.')
    expect(await newJobs()).toEqual([{ seconds: 300 }])
    const [mail, ...others] = await mailsLater()
    expect(others).toEqual([])
    expect(mail).toMatchObject({ to: 'unread@example.com' })
    expect(mail?.text).toContain('Which shop is it from?\n\nWe have\ntwo questions.')
    expect(mail?.text).toContain('http://localhost/processing?chat=open')
    expect(mail?.text).toContain('Open the conversation to answer.')
  })

  it.each([
    ['is too long', ['x'.repeat(501)]],
    ['are too many', Array.from({ length: 6 }, (_, index) => `Reply ${index}`)],
    ['has a card number', ['Was it 4111 1111 1111 1111?']],
  ])('is not all in the email if it %s, which then says so', async (_, replies) => {
    const seller = await server.seller()
    for (const message of replies) await reply(seller.id, message)
    const [mail] = await mailsLater()
    expect(mail?.text).toContain('Open the conversation to read the whole reply and to answer.')
  })

  it('is emailed even if the customer has not opened the conversation since the last email, without the replies of that one', async () => {
    const seller = await server.seller()
    for (let number = 1; number <= 6; number++) await reply(seller.id, `Earlier ${number}`)
    expect(await mailsLater()).toHaveLength(1)
    await reply(seller.id, 'Are you there?')
    await reply(seller.id, 'We can pay today.')
    const [mail, ...others] = await mailsLater()
    expect(others).toEqual([])
    expect(mail?.text).toContain('Are you there?\n\nWe can pay today.')
    expect(mail?.text).not.toContain('Earlier')
    expect(await mailsLater()).toEqual([])
  })

  it('is emailed to a seller with unread replies from before the upgrade, without those', async () => {
    const { pool, db } = await createTestDatabase()
    await pool.query('drop owned by current_user')
    const folder = await mkdtemp(join(tmpdir(), 'unspent-migrations-'))
    for (const name of await readdir(migrationsFolder)) {
      if (name < '0012') await copyFile(join(migrationsFolder, name), join(folder, name))
    }
    await migrate(pool, { folder })
    const id = randomUUID()
    await pool.query(`
      insert into users (id, username, email, first_name, last_name, password_hash)
      values ('${id}', 'olga', 'olga@example.com', 'Olga', 'Old', '-');
      insert into administrators (id, username, password_hash) values ('${id}', 'ana', '-');
      insert into chat_threads (id, user_id) values ('${id}', '${id}');
      insert into chat_messages (id, thread_id, message, is_admin_reply, admin_user_id)
      values ('${id}', '${id}', 'Old reply', true, '${id}');
      update chat_threads set customer_unread = 1, last_message_number = (select number from chat_messages)`)
    await migrate(pool)
    await transaction(db, async (tx) => {
      const locked = await lockThread(tx, { threadId: id })
      if (locked) await send(tx, locked, { message: 'New reply', staff: { id, username: 'ana' } })
    })
    const { rows } = await pool.query("select id, payload from jobs where kind = 'replyMail'")
    expect(rows).toHaveLength(1)
    const sent: Mail[] = []
    const mailer = { sendMail: async (mail: Mail) => void sent.push(mail) }
    await jobHandlers({ ...server.context, db }, mailer, server.push).replyMail(rows[0].payload, rows[0].id)
    expect(sent.map(({ to }) => to)).toEqual(['olga@example.com'])
    expect(sent[0]?.text).toContain('New reply')
    expect(sent[0]?.text).not.toContain('Old reply')
  })

  it('is in the next email if it is written while one is being sent', async () => {
    const seller = await server.seller()
    await reply(seller.id, 'First')
    const sent: string[] = []
    const mailer = {
      async sendMail({ text }: Mail) {
        sent.push(text)
        if (sent.length === 1) await reply(seller.id, 'Second')
      },
    }
    const handlers: Partial<JobHandlers> = {
      replyMail: jobHandlers(server.context, mailer, server.push).replyMail,
    }
    await mailsLater(handlers)
    expect(await newJobs()).toEqual([{ seconds: 300 }])
    await mailsLater(handlers)
    expect(sent).toEqual([expect.stringContaining('First'), expect.stringContaining('Second')])
    expect(sent[1]).not.toContain('First')
  })

  it('is emailed after an email that was given up, with the replies of that one', async () => {
    const seller = await server.seller()
    await reply(seller.id, 'Lost')
    await server.pool.query("update jobs set failed_at = now(), attempts = 37 where kind = 'replyMail'")
    await reply(seller.id, 'Found')
    expect((await mailsLater()).map(({ text }) => text)).toEqual([expect.stringContaining('Lost\n\nFound')])
  })

  it('is not emailed if it was read in time', async () => {
    const seller = await server.seller()
    await reply(seller.id, 'Hello')
    await seller.post('/api/chat/mark-read')
    expect(await mailsLater()).toEqual([])
  })

  it('is emailed once by several servers', async () => {
    const sellers = [await server.seller(), await server.seller()]
    for (const message of ['Hello', 'Hello again']) {
      for (const seller of sellers) await reply(seller.id, message)
      await makeDue()
      const mails = (await Promise.all([replyMails(), replyMails()])).flat()
      expect(new Set(mails.map(({ to }) => to)).size).toBe(2)
      expect(mails).toHaveLength(2)
    }
  })
})

describe('an unread reply to a visitor', () => {
  const form = {
    firstName: 'Buy-pills',
    lastName: 'At evil.example',
    email: 'stranger@example.com',
    subject: 'Your prize',
    message: 'Claim it at evil.example now',
  }

  it('is emailed with its own link, without anything from the form and without card numbers', async () => {
    const { sessionId } = await contacted(server, form)
    await replyToVisitor(sessionId, 'Please do not send 4111 1111 1111 1111 again.')
    const [mail, ...others] = await mailsLater()
    expect(others).toEqual([])
    expect(mail?.to).toBe('stranger@example.com')
    expect(mail?.text).toMatch(/http:\/\/localhost\/contact\/chat\?session=[\w-]{43}\s/)
    expect(mail?.text).not.toContain(sessionId)
    expect(mail?.text).toContain('Please do not send')
    const { text, html, subject } = mail ?? { text: '', html: '', subject: '' }
    expect(text + html + subject).not.toMatch(/pills|evil|prize|claim|4111|1111/i)
  })

  it('is emailed in the language of the conversation, with its link, and the reply as it was written', async () => {
    const asked = await server.visitor().post('/api/contact', form, { 'accept-language': 'es-MX,en;q=0.5' })
    const { sessionId } = asked.json
    await replyToVisitor(sessionId, 'Which shop?')
    await makeDue()
    const [mail] = await sendMails(server)
    expect(mail?.subject).toBe('El equipo de ayuda le respondió')
    expect(mail?.text).toContain('Which shop?')
    expect(mail?.text).toMatch(
      /Abrir la conversación: http:\/\/localhost\/es\/contact\/chat\?session=[\w-]{43}\s/,
    )
  })

  it('counts as read when the visitor fetches the messages, but not when others do', async () => {
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
