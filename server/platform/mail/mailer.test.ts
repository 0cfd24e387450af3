import { mkdtemp, readdir, readFile, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { headersOf, portOf, smtpServer } from '#test/smtp-server.ts'
import { createMailer, MailRefused, smtpDelivery } from './mailer.ts'

const sender = { productName: 'Unspent', publicUrl: 'https://cards.example:8443/' }
const mail = { to: 'ann@example.org', subject: 'Your card', text: 'Hello Ann', html: '<p>Hello Ann</p>' }

let dataDir: string
let cleanups: (() => void)[] = []
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'unspent-mail-'))
})
afterEach(() => {
  for (const cleanUp of cleanups) cleanUp()
  cleanups = []
})

async function mailsInFolder(): Promise<string[]> {
  const names = await readdir(join(dataDir, 'mail'))
  return Promise.all(names.sort().map((name) => readFile(join(dataDir, 'mail', name), 'utf8')))
}

describe('mails without an SMTP server', () => {
  it('are .eml files that only their owner can read', async () => {
    await createMailer({ dataDir }, sender).sendMail({ ...mail, id: 'job-1' })
    const [name = ''] = await readdir(join(dataDir, 'mail'))
    expect(name).toMatch(/^\d{8}T\d{9}Z-[0-9a-f]{12}\.eml$/)
    expect((await stat(join(dataDir, 'mail', name))).mode & 0o777).toBe(0o600)
    expect((await stat(join(dataDir, 'mail'))).mode & 0o777).toBe(0o700)
    const [eml = ''] = await mailsInFolder()
    expect(headersOf(eml)).toEqual(
      expect.arrayContaining([
        'From: Unspent <no-reply@cards.example>',
        'To: ann@example.org',
        'Subject: Your card',
        'Message-ID: <job-1@cards.example>',
        'Auto-Submitted: auto-generated',
        'MIME-Version: 1.0',
      ]),
    )
    expect(eml).toContain('Content-Type: text/plain')
    expect(eml).toContain('Content-Type: text/html')
    expect(eml).toContain('Hello Ann')
  })

  it('use the configured sender and reply-to addresses', async () => {
    const site = { ...sender, replyTo: 'help@unspent.example' }
    await createMailer({ dataDir, mailFrom: 'shop@mail.example' }, site).sendMail(mail)
    const [eml = ''] = await mailsInFolder()
    expect(headersOf(eml)).toEqual(
      expect.arrayContaining(['From: Unspent <shop@mail.example>', 'Reply-To: help@unspent.example']),
    )
  })

  it('sort by time', async () => {
    const mailer = createMailer({ dataDir }, sender)
    for (const subject of ['first', 'second', 'third']) {
      await mailer.sendMail({ ...mail, subject })
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    const subjects = (await mailsInFolder()).map((eml) => /Subject: (\w+)/.exec(eml)?.[1])
    expect(subjects).toEqual(['first', 'second', 'third'])
  })

  it('of an address are removed while others are being written', async () => {
    const mailer = createMailer({ dataDir }, sender)
    await mailer.sendMail({ ...mail, to: 'gone@example.org' })
    const written = Array.from({ length: 200 }, () => mailer.sendMail(mail))
    for (let time = 0; time < 20; time++) await mailer.forget?.(['Gone@example.org'])
    await Promise.all(written)
    expect(await mailsInFolder()).toHaveLength(200)
  })

  it.each([
    ['', 'localhost'],
    ['http://127.0.0.1:3000', 'localhost'],
    ['http://[::1]:3000', 'localhost'],
    ['http://localhost:3000', 'localhost'],
    ['https://cards.example', 'cards.example'],
  ])('for a site at %j come from %s', async (publicUrl, host) => {
    await createMailer({ dataDir }, { ...sender, publicUrl }).sendMail(mail)
    const [eml = ''] = await mailsInFolder()
    expect(eml).toContain(`From: Unspent <no-reply@${host}>`)
    expect(eml).toMatch(new RegExp(`^Message-ID: <[^@]+@${host}>`, 'm'))
  })

  it('encode non-ASCII text', async () => {
    await createMailer({ dataDir }, { ...sender, productName: 'Ünspent' }).sendMail({
      ...mail,
      subject: 'Grüße – 你好',
    })
    const [eml = ''] = await mailsInFolder()
    expect(eml).toContain('Subject: =?UTF-8?')
    expect(/^[\0-\x7f]*$/.test(eml)).toBe(true)
  })
})

describe('a mail with a hostile field', () => {
  it('keeps its subject and sender on one line each', async () => {
    const hostile = { ...sender, productName: 'Shop\r\nBcc: eve@example.com' }
    const subject = 'Hi\r\nBcc: eve@example.com\r\n\r\nbody\u2028Cc: eve@example.com\0'
    await createMailer({ dataDir }, hostile).sendMail({ ...mail, subject })
    const headers = headersOf((await mailsInFolder())[0] ?? '')
    expect(headers.filter((header) => /^(b?cc|to|subject|from):/i.test(header))).toHaveLength(3)
    expect(headers).toContain('To: ann@example.org')
  })

  it.each([
    'ann@example.org\r\nBcc: eve@example.com',
    'ann@example.org, eve@example.com',
    'ann@example.org; eve@example.com',
    'Ann <ann@example.org>',
    'group: ann@example.org, eve@example.com;',
    'ann@example.org> NOTIFY=NEVER',
    'ann@@example.org',
    '"a b"@example.org',
    'ann',
    '',
    `${'a'.repeat(400)}@example.org`,
  ])('is not sent to %j', async (to) => {
    await expect(createMailer({ dataDir }, sender).sendMail({ ...mail, to })).rejects.toThrow(MailRefused)
    expect(await readdir(dataDir)).toEqual([])
  })

  it.each(['a\r\nBcc: eve@example.com', 'a> <b', 'a@b', ''])('is not sent with the id %j', async (id) => {
    await expect(createMailer({ dataDir }, sender).sendMail({ ...mail, id })).rejects.toThrow(MailRefused)
  })
})

describe('mails by SMTP', () => {
  it('arrive with the same Message-ID on a retry', async () => {
    const { url, received } = await smtpServer()
    const mailer = createMailer({ dataDir, smtpUrl: url }, sender)
    await mailer.sendMail({ ...mail, id: 'job-7' })
    await mailer.sendMail({ ...mail, id: 'job-7' })
    expect(received.map(({ from, to }) => [from, to])).toEqual(
      Array(2).fill(['no-reply@cards.example', ['ann@example.org']]),
    )
    for (const { eml } of received) expect(headersOf(eml)).toContain('Message-ID: <job-7@cards.example>')
    expect(await readdir(dataDir)).toEqual([])
  })

  it('are sent after signing in, and errors do not contain the password', async () => {
    const { url } = await smtpServer({
      authOptional: false,
      onAuth: ({ username, password }, _, callback) =>
        username === 'shop' && password === 'p@ss'
          ? callback(null, { user: 'shop' })
          : callback(new Error('No')),
    })
    const withUser = (user: string) => url.replace('smtp://', `smtp://${user}@`)
    await createMailer({ dataDir, smtpUrl: withUser('shop:p%40ss') }, sender).sendMail(mail)
    const error = await createMailer({ dataDir, smtpUrl: withUser('shop:wr0ng') }, sender)
      .sendMail(mail)
      .catch((thrown) => thrown)
    expect(error).toBeInstanceOf(Error)
    expect(`${error} ${JSON.stringify(error)}`).not.toContain('wr0ng')
  })

  it('fail if they are refused or the server is down', async () => {
    const { url } = await smtpServer({ onRcptTo: (_, __, callback) => callback(new Error('Unknown')) })
    await expect(createMailer({ dataDir, smtpUrl: url }, sender).sendMail(mail)).rejects.toThrow(/Unknown/)
    const nobody = createMailer({ dataDir, smtpUrl: 'smtp://127.0.0.1:1' }, sender)
    await expect(nobody.sendMail(mail)).rejects.toThrow(/ECONNREFUSED/)
  })

  it.each([
    ['never answers', ''],
    ['stops answering after its greeting', '220 hello\r\n'],
  ])('time out if the server %s', async (_, greeting) => {
    const server = createServer((socket) => {
      socket.write(greeting)
      cleanups.push(() => socket.destroy())
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    cleanups.push(() => server.close())
    const deliver = smtpDelivery(`smtp://127.0.0.1:${portOf(server)}`, 300)
    await expect(deliver({ ...mail, from: 'a@example.org' })).rejects.toThrow('Message sending aborted')
  })
})
