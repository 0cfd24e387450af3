import { beforeAll, describe, expect, it } from 'vitest'
import { referenceOf } from '#domain/reference.ts'
import { jobHandlers } from '#server/job-handlers.ts'
import { type JobHandlers, JobWorker } from '#server/platform/jobs/worker.ts'
import { type Mail, MailRefused } from '#server/platform/mail/mailer.ts'
import { createTestApp, type TestApp } from '#test/app.ts'
import { accountMails, mailWithLink } from '#test/mails.ts'
import type { Person } from '#test/person.ts'
import { type CardFields, field, submitted } from '#test/submissions.ts'
import { withoutRandom } from '#test/without-random.ts'
import { expireOffers } from './expire.ts'
import { composeMovePush } from './status-mail.ts'

let server: TestApp
let seller: Person
let staff: Person
let sent: Mail[] = []
/** The outcome of the next mails. */
let failures: Error[] = []

beforeAll(async () => {
  server = await createTestApp()
  seller = await server.seller('sally')
  staff = await server.staff()
})

function worker(): JobWorker {
  const mailer = {
    async sendMail(mail: Mail) {
      const failure = failures.shift()
      if (failure) throw failure
      sent.push(mail)
    },
  }
  return new JobWorker({
    db: server.db,
    log: server.context.log,
    // Other kinds of jobs are not tested here.
    handlers: {
      statusMail: jobHandlers(server.context, mailer, server.push).statusMail,
      confirmEmailMail: async () => {},
      staffInvitationMail: async () => {},
    } as Partial<JobHandlers> as ConstructorParameters<typeof JobWorker>[0]['handlers'],
  })
}

/** Runs all jobs that are due. */
async function workOff(): Promise<Mail[]> {
  sent = []
  const working = worker()
  working.start()
  for (;;) {
    const { rows } = await server.pool.query(
      'select 1 from jobs where done_at is null and failed_at is null and run_at <= now()',
    )
    if (rows.length === 0) break
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  await working.stop()
  return sent
}

/** A new submission, whose receipt has been mailed. */
async function received(fields: CardFields = {}): Promise<string> {
  const id = await submitted(seller, fields)
  await workOff()
  return id
}

const move = (id: string, status: string, reason?: string) =>
  staff.patch(`/api/admin/submissions/${id}/status`, { status, reason })

describe('emails about a submission', () => {
  it('start with a receipt', async () => {
    const id = await submitted(seller)
    const [mail, ...more] = await workOff()
    expect([mail?.to, mail?.subject, more]).toEqual(['sally@example.com', 'We received your Amazon card', []])
    expect(mail?.text).toContain('Gift card: Amazon •••• 5678, $100.00\nYour quote: $93.00')
    expect(mail?.text).toContain(`\nCard reference: ${referenceOf(id)}\n`)
    expect(mail?.text).toContain('we will send you $93.00 once your email is confirmed.')
    expect(mail?.html).toMatch(/class="gray"[^>]*>\s*<span[^>]*>Your quote</)
    expect(withoutRandom(`${mail?.text}${mail?.html}`)).not.toMatch(/6006|9876|sally@example\.com/)
  })

  it('have a button for another account if the routing number is wrong', async () => {
    const wrong = { paymentRoutingNumber: '123456789', paymentAccountNumber: '98765432' }
    const id = await submitted(seller, { paymentType: 'bank_transfer', paymentAccountInfo: '', ...wrong })
    const [mail] = await workOff()
    expect(mail?.text).toContain('Please enter another one.')
    expect(mail?.text).toMatch(new RegExp(`Enter Another Account: \\S+/account/card\\?id=${id}\n`))
  })

  it.each([
    ['You received', {}],
    [
      'Sent to you',
      {
        paymentType: 'bank_transfer',
        paymentAccountInfo: '',
        paymentRoutingNumber: '021000021',
        paymentAccountNumber: '98765432',
      },
    ],
  ])('say "%s" after a payout, by how soon it arrives', async (label, fields) => {
    const id = await received(fields)
    await move(id, 'processing')
    await move(id, 'completed')
    const paid = (await workOff()).find(({ subject }) => subject.startsWith('Paid'))
    expect(paid?.text).toContain(`${label}: $93.00`)
  })

  it('ask to confirm the address while the seller cannot be paid without it', async () => {
    const buttonAfter = async (verified: boolean, waived: boolean) => {
      await server.pool.query(
        "update users set verified = $1, confirmation_waived = $2 where username = 'sally'",
        [verified, waived],
      )
      await submitted(seller)
      const [mail] = await workOff()
      return mail?.text ?? ''
    }
    for (const [verified, waived] of [
      [false, true],
      [true, false],
    ] as const)
      expect(await buttonAfter(verified, waived)).not.toContain('Confirm your email')
    const asked = await buttonAfter(false, false)
    expect(asked).toContain('once your email is confirmed.')
    expect(asked).not.toContain('Confirm your email to be paid.')
    expect(asked).toMatch(/Get a New Confirmation Link: \S+\/account\/card\?id=/)
    expect(asked).not.toContain('See Your Card')
    expect(asked).not.toContain('nothing for you to do')
  })

  it('confirm the address with their own link, if it is the one that the link was mailed to', async () => {
    const person = await server.seller()
    const { token } = mailWithLink(await accountMails(server), '/confirm-email')
    const receiptOf = async () => {
      await submitted(person)
      return (await workOff())[0]?.text
    }
    const received = await receiptOf()
    expect(received).toMatch(new RegExp(`Confirm Your Email Address: \\S+/confirm-email\\?token=${token}\\n`))
    expect(received).toMatch(/See Your Card: \S+\/account\/card\?id=/)
    expect(received).not.toContain('new confirmation link')
    await server.pool.query('update users set email = $1 where id = $2', ['other@example.com', person.id])
    expect(await receiptOf()).not.toContain('/confirm-email?token=')
    await server.pool.query('update users set email = $1 where id = $2', [person.email, person.id])
    expect(await receiptOf()).toContain(token)
    await server.pool.query('update account_tokens set expires_at = now() where user_id = $1', [person.id])
    expect(await receiptOf()).toContain('Get a New Confirmation Link: ')
  })

  it('of an approved card say only what its payout waits for', async () => {
    const approval = async (verified: boolean) => {
      await server.pool.query("update users set verified = $1 where username = 'sally'", [verified])
      await move(await received(), 'processing')
      const [mail] = await workOff()
      return mail?.text
    }
    expect(await approval(true)).toMatch(
      /We are preparing your payout and will email you when it is sent\. The money should arrive by (\w+day, \w+ \d+)\.\n[\s\S]*Expected by: \1\n/,
    )
    const unconfirmed = await approval(false)
    expect(unconfirmed).toContain(
      'Hello,\n\nYour payout leaves as soon as you confirm your email.\n\nWith the button below you can get a new confirmation link.\n\nGift card: ',
    )
    expect(unconfirmed).toContain('Get a New Confirmation Link: ')
    expect(unconfirmed).not.toMatch(/should arrive|Expected/)
  })

  it('say until when an approved or accepted payout waits because its account was changed', async () => {
    const person = await server.seller()
    await server.pool.query('update users set verified = true where id = $1', [person.id])
    const waiting = async () => {
      await server.pool.query("update payouts set batchable_at = '2100-06-01T16:00Z' where seller_id = $1", [
        person.id,
      ])
      return (await workOff())[0]?.text
    }
    const sentence =
      / Because you changed the account, we will send it after Tuesday, June 1 at noon Eastern Time\. The money should arrive by \w+day, June /
    const [approved, offered] = [await submitted(person), await submitted(person)]
    await workOff()
    await move(approved, 'processing')
    expect(await waiting()).toMatch(sentence)
    const offer = { status: 'offered', amount: '74.40', reason: 'It holds less' }
    await staff.patch(`/api/admin/submissions/${offered}/status`, offer)
    await workOff()
    await person.post(`/api/user/gift-cards/${offered}/accept`, { amount: '74.40' })
    expect(await waiting()).toMatch(sentence)
  })

  it('are sent once for each move, with its status', async () => {
    const id = await received()
    await move(id, 'under_review', 'Which shop is it from?')
    await seller.upload(`/api/user/gift-cards/${id}/answer`, [field('message', 'The corner shop')])
    await move(id, 'processing')
    await move(id, 'failed', 'The account is closed')
    await move(id, 'processing')
    await move(id, 'completed')
    const mails = await workOff()
    expect(mails.map(({ to }) => to)).toEqual(Array(6).fill('sally@example.com'))
    expect(mails.map(({ subject }) => subject)).toEqual([
      'A question about your Amazon card',
      'We received your answer about your Amazon card',
      'Approved: $93.00 for your Amazon card',
      'Your payout of $93.00 for your Amazon card did not go through',
      'We are sending your payout again: $93.00 for your Amazon card',
      'Paid: $93.00 for your Amazon card',
    ])
    expect(mails[0]?.text).toContain('What we need:\n\nWhich shop is it from?')
    for (const open of mails.slice(0, 2)) expect(open.text).not.toContain('You receive')
    expect(mails[3]?.text).toContain('The account is closed')
    expect(mails[3]?.text).not.toContain('safe with us')
    expect(mails[3]?.text).toMatch(new RegExp(`Contact Support: \\S+/account/card\\?id=${id}&chat=${id}`))
    // An email about a failed payment does not promise the amount.
    expect(mails.map(({ text }) => /(Your quote|You received?): \$93\.00/.test(text))).toEqual(
      mails.map(({ subject }) => !subject.includes('did not go through')),
    )
    for (const { text, html } of mails) {
      expect(text).toContain(`http://localhost/account/card?id=${id}`)
      expect(withoutRandom(text + html)).not.toMatch(/6006|9876|sally@example\.com/)
    }
    expect(await workOff()).toEqual([])
  })

  it('tell the seller about a rejection and about their own withdrawal', async () => {
    const rejected = await received()
    const withdrawn = await received()
    await move(rejected, 'rejected', 'The photo is <b>blurry</b>')
    await seller.post(`/api/user/gift-cards/${withdrawn}/withdraw`)
    const [first, second] = await workOff()
    expect(first?.text).toContain('The photo is <b>blurry</b>')
    expect(first?.html).toContain('&lt;b&gt;blurry&lt;/b&gt;')
    expect(second?.text).toContain('You withdrew your Amazon card')
    for (const mail of [first, second]) expect(mail?.text).not.toContain('You receive')
  })

  it('tell what happened to an offer, with both amounts', async () => {
    const accepted = await received()
    const declined = await received()
    const rescinded = await received()
    const expired = await received()
    const check = { amount: '80.00', source: 'website' }
    await staff.post(`/api/admin/submissions/${accepted}/balance-checks`, check)
    for (const id of [accepted, declined, rescinded, expired]) {
      const body = { status: 'offered', amount: '74.40', reason: 'It holds <b>$80</b>' }
      expect((await staff.patch(`/api/admin/submissions/${id}/status`, body)).status).toBe(200)
    }
    const [offer, unchecked] = await workOff()
    expect(offer?.subject).toBe('We can pay $74.40 for your Amazon card')
    expect(offer?.text).toContain('We checked your card and can pay $74.40 instead of $93.00.')
    expect(offer?.text).toContain('It holds <b>$80</b>')
    expect(offer?.text).toMatch(
      /Your quote: \$93\.00\nBalance we found: \$80\.00\nNew offer: \$74\.40\nAnswer by: \w+day, [A-Z]\w+ \d+ at (noon|\d+(:\d\d)? [AP]M) Eastern Time\nStatus: New Offer/,
    )
    expect(offer?.text).toContain('a balance of $80.00 on your card. 93% of that is $74.40.')
    expect(unchecked?.text).not.toContain('93%')
    await seller.post(`/api/user/gift-cards/${accepted}/accept`, { amount: '74.40' })
    await seller.post(`/api/user/gift-cards/${declined}/decline`)
    await move(rescinded, 'pending')
    await server.pool.query('update gift_cards set offer_expires_at = now() where id = $1', [expired])
    await expireOffers(server.context, new AbortController().signal)
    const mails = await workOff()
    expect(mails.map(({ subject }) => subject)).toEqual([
      'You accepted $74.40 for your Amazon card',
      'You declined our offer for your Amazon card',
      'We withdrew our offer for your Amazon card',
      'Our offer for your Amazon card has ended',
    ])
    const [acceptance, refusal, retreat, ending] = mails.map(({ text }) => text)
    expect(acceptance).toContain(
      'Your quote: $93.00\nYou receive: $74.40\nPayout to: PayPal, s•••@example.com\nStatus: Approved',
    )
    expect(retreat).toContain('Your quote: $93.00\nStatus: Pending Review')
    for (const text of [refusal, ending]) {
      expect(text).toContain('Status: Cancelled')
      expect(text).not.toMatch(/withdrew|You receive/)
    }
  })

  it('offer an appeal once, and confirm it; and to submit the card again where that can help', async () => {
    const id = await received()
    await move(id, 'rejected', 'image_blurry')
    const [rejection] = await workOff()
    await seller.upload(`/api/user/gift-cards/${id}/appeal`, [field('message', 'Please look at it again')])
    await move(id, 'rejected', 'usage_redeemed')
    const [appeal, second] = await workOff()
    expect(rejection?.text).toMatch(/you can appeal within 14 days, by [A-Z]\w+ \d+\./)
    expect(rejection?.text).toContain('Your quote: $93.00\n')
    expect(appeal?.subject).toBe('We received your appeal for your Amazon card')
    expect(appeal?.text).toContain('We received your appeal')
    expect(appeal?.text).toContain('The review typically takes 1 hour, and up to 24 hours for high-value')
    expect(appeal?.text).not.toContain('Please look at it again')
    expect(second?.text).not.toContain('appeal')
    expect(rejection?.text).toContain('submit the card again')
    expect(second?.text).not.toContain('submit the card again')
    const buttons = [rejection, second].map((mail) =>
      mail?.text.match(/^(Se.+): http:\/\/localhost(.+)$/m)?.slice(1),
    )
    expect(buttons).toEqual([
      ['Send the Card Again', `/sell-card?brand=amazon&value=100.00&resubmissionOf=${id}`],
      ['See Your Card', `/account/card?id=${id}`],
    ])
    expect(rejection?.text).toContain(`\nAppeal: http://localhost/account/card?id=${id}\n`)
  })

  let accounts = 0
  /** To an account that nobody has used, because some reasons make it dead. */
  const toNewAccount = () => received({ paymentAccountInfo: `s${++accounts}@example.com` })

  it('say that the money is safe if only the payout account was wrong', async () => {
    const textFor = async (reason: string) => {
      const id = await toNewAccount()
      await move(id, 'processing')
      await move(id, 'failed', reason)
      return (await workOff()).at(-1)?.text
    }
    const ofAccount = await textFor('payout_account_closed')
    expect(ofAccount).toContain('Your $93.00 is safe with us.')
    expect(ofAccount).toContain('we will wait 24 hours and then send the same amount again')
    expect(ofAccount).toContain('Status: Account Needed')
    const ofCard = await textFor('usage_redeemed')
    expect(ofCard).not.toContain('safe with us')
    expect(ofCard).toContain('Status: Failed')
    expect(ofCard).toContain('Contact Support: ')
  })

  it('have pushes that say what an approved or failed payout waits for', async () => {
    const pushAfter = async (verified: boolean, reason?: string) => {
      await server.pool.query("update users set verified = $1 where username = 'sally'", [verified])
      const giftCardId = await toNewAccount()
      const { json } = await move(giftCardId, 'processing')
      const { version } = reason ? (await move(giftCardId, 'failed', reason)).json : json
      const { en } = server.context.words
      return (await composeMovePush(server.context, en, { giftCardId, version }))?.text
    }
    expect(await pushAfter(false)).toBe('push.start.unconfirmed')
    expect(await pushAfter(true)).toBeUndefined()
    expect(await pushAfter(true, 'payout_account_closed')).toBe('push.fail.account')
    expect(await pushAfter(true, 'Stolen card')).toBe('push.fail.text')
  })

  it('are retried with the same id when the mail server is down', async () => {
    await move(await received(), 'processing')
    failures = [new Error('connection refused')]
    expect(await workOff()).toEqual([])
    const { rows } = await server.pool.query(
      'select id, attempts, last_error from jobs where done_at is null',
    )
    expect(rows).toMatchObject([{ attempts: 1, last_error: expect.stringContaining('refused') }])
    await server.pool.query('update jobs set run_at = now() where done_at is null')
    expect((await workOff()).map(({ id }) => id)).toEqual([rows[0].id])
  })

  it('are given up when they can never be sent', async () => {
    await move(await received(), 'processing')
    failures = [new MailRefused('no such address')]
    expect(await workOff()).toEqual([])
    expect((await server.pool.query('select 1 from jobs where done_at is null')).rows).toEqual([])
  })

  it('are sent by another worker when one dies, and never by two at once', async () => {
    await move(await received(), 'processing')
    // A worker takes the job and dies.
    await server.pool.query(
      "update jobs set attempts = attempts + 1, run_at = now() + interval '50 seconds' where done_at is null",
    )
    expect(await workOff()).toEqual([])
    await server.pool.query('update jobs set run_at = now() where done_at is null')
    const [one, two] = [worker(), worker()]
    sent = []
    one.start()
    two.start()
    await Promise.all([one.stop(), two.stop()])
    const early = sent
    expect([...early, ...(await workOff())]).toHaveLength(1)
  })
})
