import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { type NotificationKind, notificationKinds } from '#domain/notifications.ts'
import { enqueuePayoutMails } from '#server/features/payouts/payout-mail.ts'
import { jobHandlers } from '#server/job-handlers.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { createMailer } from '#server/platform/mail/mailer.ts'
import { createTestApp, type TestApp } from '#test/app.ts'
import { sendMails } from '#test/mails.ts'
import { exportedBatch } from '#test/payouts.ts'
import type { Person } from '#test/person.ts'
import { headersOf, smtpServer } from '#test/smtp-server.ts'
import { submitted } from '#test/submissions.ts'
import { unsubscribeToken } from './settings.ts'

const settingsPath = '/api/user/notifications'

let server: TestApp
let seller: Person
let staff: Person
/** Sends every due email of the kinds tested here. @returns the headers of those that arrive at the mail server, by subject */
let arrivals: () => Promise<Record<string, string[]>>

beforeAll(async () => {
  server = await createTestApp()
  staff = await server.staff()
  seller = await server.seller('sally')
  const smtp = await smtpServer()
  const { context } = server
  const mailer = createMailer({ dataDir: server.folder, smtpUrl: smtp.url }, context.site)
  arrivals = async () => {
    smtp.received.length = 0
    await server.pool.query("update jobs set run_at = now() where kind = 'replyMail' and done_at is null")
    const { accountMail, payoutMail, replyMail, statusMail } = jobHandlers(context, mailer, server.push)
    await sendMails(server, { accountMail, payoutMail, replyMail, statusMail })
    const mails = smtp.received.map(({ eml }) => headersOf(eml))
    return Object.fromEntries(mails.map((headers) => [headerOf(headers, 'Subject'), headers]))
  }
})

const headerOf = (headers: readonly string[] | undefined, name: string) =>
  headers?.find((header) => header.startsWith(`${name}: `))?.slice(name.length + 2)

const move = (id: string, status: string, more: object = {}) =>
  staff.patch(`/api/admin/submissions/${id}/status`, { status, reason: 'Because', ...more })

/** One event of each kind, a receipt, and news about the account's security. */
async function events(): Promise<void> {
  const ids = [await submitted(seller), await submitted(seller), await submitted(seller)]
  const [asked = '', offered = '', decided = ''] = ids
  await move(asked, 'under_review')
  await move(offered, 'offered', { amount: '74.40' })
  await move(decided, 'processing')
  const batch = await exportedBatch(server, [decided], { expectedOn: null })
  await transaction(server.db, (tx) => enqueuePayoutMails(tx, batch))
  await staff.post('/api/admin/chat/reply', { userId: seller.id, message: 'Hello' })
  const method = { type: 'paypal', accountName: 'Sally', accountInfo: 'sally@pay.example' }
  await seller.post('/api/payment-methods', method)
}

const optional = {
  question: 'A question about your Amazon card',
  offer: 'We can pay $74.40 for your Amazon card',
  decision: 'Approved: $93.00 for your Amazon card',
  payout: 'Your payout is on its way: $93.00 for your Amazon card',
  reply: 'Support replied to you',
}
const always = ['A payment method was added', 'We received your Amazon card']

describe('the mails of a seller', () => {
  it('can be stopped by one click if they are optional, and only then', async () => {
    await events()
    const mails = await arrivals()
    expect(Object.keys(mails).sort()).toEqual([...always, ...Object.values(optional)].sort())
    for (const subject of always) {
      expect(mails[subject]?.filter((header) => /^list-/i.test(header))).toEqual([])
    }
    for (const kind of notificationKinds) {
      const headers = mails[optional[kind]]
      const token = unsubscribeToken(server.context.keys, { userId: seller.id, kind })
      expect(headerOf(headers, 'List-Unsubscribe')).toBe(`<http://localhost/unsubscribe?token=${token}>`)
      expect(headerOf(headers, 'List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click')
    }
  })

  it.each([
    { off: ['question', 'decision', 'reply'], on: ['offer', 'payout'] },
    { off: ['offer', 'payout'], on: ['question', 'decision', 'reply'] },
  ] as const)('are sent about $on if $off were turned off after the event', async ({ off, on }) => {
    const before = (await seller.get(settingsPath)).json
    await events()
    await seller.put(settingsPath, Object.fromEntries(off.map((kind) => [kind, { mail: false }])))
    const wanted = on.map((kind) => optional[kind])
    expect(Object.keys(await arrivals()).sort()).toEqual([...always, ...wanted].sort())
    await seller.put(settingsPath, before)
  })
})

describe('the link in a mail', () => {
  /** As a mail program sends it: https://www.rfc-editor.org/rfc/rfc8058 */
  const oneClick = (path: string) =>
    server.visitor().send({
      method: 'POST',
      url: path,
      payload: 'List-Unsubscribe=One-Click',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })

  const linkTo = (userId: string, kind: NotificationKind) =>
    `/unsubscribe?token=${unsubscribeToken(server.context.keys, { userId, kind })}`

  it('turns off the mails of its kind, again without an error, and in Spanish too', async () => {
    const link = linkTo(seller.id, 'offer')
    const before = (await seller.get(settingsPath)).json
    await server.visitor().get(link)
    expect((await seller.get(settingsPath)).json).toEqual(before)
    for (const path of [link, link, `/es${link}`]) {
      const answer = await oneClick(path)
      expect([answer.status, answer.json]).toEqual([200, { kind: 'offer' }])
    }
    const after = { ...before, offer: { mail: false, push: before.offer.push } }
    expect((await seller.get(settingsPath)).json).toEqual(after)
    await seller.put(settingsPath, before)
  })

  it('does nothing if it was changed to another kind, another seller, or is cut off', async () => {
    const link = linkTo(seller.id, 'offer')
    const other = await server.seller('otto')
    const before = (await seller.get(settingsPath)).json
    const changed = [
      link.replace('.offer.', '.payout.'),
      link.replace(seller.id, other.id),
      link.slice(0, -2),
      link.replace(/\?.*/, '?token=x'),
      link.replace(/\?.*/, ''),
    ]
    for (const path of changed) {
      const { status, json } = await oneClick(path)
      expect([status, json.errors]).toMatchObject([400, [{ path: 'token', code: 'unsubscribe_link_broken' }]])
    }
    expect((await seller.get(settingsPath)).json).toEqual(before)
    expect((await other.get(settingsPath)).json).toEqual(before)
  })

  it('works when the account is gone', async () => {
    expect((await oneClick(linkTo(randomUUID(), 'reply'))).status).toBe(200)
  })
})
