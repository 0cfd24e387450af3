import { randomBytes } from 'node:crypto'
import { readdir, readFile, rm } from 'node:fs/promises'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { createTransport, type SendMailOptions } from 'nodemailer'
import type { Config } from '#server/platform/config/config.ts'
import type { Site } from '#server/platform/config/site.ts'
import { isErrno, makeFolderDurably, writeDurably } from '#server/platform/durable-file.ts'
import { inSpan } from '#server/platform/trace.ts'

export interface Mailer {
  /**
   * Resolves when a mail server has accepted the mail or its file is written. May be retried after any error except
   * `MailRefused`.
   */
  sendMail(mail: Mail): Promise<void>
  /** Connects and signs in to the mail server. Rejects if that fails or takes longer. Missing if mails become files. */
  check?(limitMs: number): Promise<void>
  /** Removes the files of mails to these addresses. Does nothing if a mail server delivers them. */
  forget?(addresses: readonly string[]): Promise<void>
}

export interface Mail {
  /** One address, without a name. */
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** For the Message-ID: letters, digits, `.`, `_` and `-`. The same on every attempt, so that duplicates can be detected. */
  readonly id?: string
  /** The address at which the recipient turns this kind of mail off: a page for people, and a POST for mail programs. */
  readonly unsubscribeUrl?: string | undefined
}

/** The mail can never be sent, for example because of its address. */
export class MailRefused extends Error {
  override name = 'MailRefused'
}

type MailSettings = Pick<Config, 'dataDir'> & Partial<Pick<Config, 'smtpUrl' | 'mailFrom'>>

/**
 * Writes mails as files to `dataDir`/mail if there is no `smtpUrl`.
 *
 * @param site its address is read for each mail, because it is empty until the server listens
 */
export function createMailer(
  { smtpUrl, dataDir, mailFrom }: MailSettings,
  site: Pick<Site, 'productName' | 'publicUrl' | 'replyTo'>,
): Mailer {
  const deliver = smtpUrl ? smtpDelivery(smtpUrl) : folderDelivery(join(dataDir, 'mail'))
  const folder = join(dataDir, 'mail')
  return {
    ...(smtpUrl && { check: (limitMs: number) => checkServer(smtpUrl, limitMs) }),
    ...(!smtpUrl && { forget: (addresses: readonly string[]) => removeMails(folder, addresses) }),
    async sendMail({ to, subject, text, html, id, unsubscribeUrl }) {
      const host = mailHost(site.publicUrl)
      const email = {
        from: { name: singleLine(site.productName), address: mailFrom ?? `no-reply@${host}` },
        ...(site.replyTo && { replyTo: site.replyTo }),
        to: { name: '', address: checkAddress(to) },
        subject: singleLine(subject),
        text,
        html,
        ...(id === undefined ? {} : { messageId: messageId(id, host) }),
        headers: {
          // RFC 3834: prevents automatic replies.
          'Auto-Submitted': 'auto-generated',
          ...(unsubscribeUrl && unsubscribeHeaders(unsubscribeUrl)),
        },
      }
      await inSpan({ name: 'send mail', kind: 'client' }, () => deliver(email))
    },
  }
}

/** One click in the mail program is enough. Source: RFC 8058 */
function unsubscribeHeaders(url: string) {
  return { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
}

/** An IP address is not a valid domain of an email address. */
function mailHost(publicUrl: string): string {
  const host = publicUrl === '' ? '' : new URL(publicUrl).hostname
  return host === '' || isIP(host.replace(/^\[|\]$/g, '')) ? 'localhost' : host
}

// Excludes everything that could start a header, a second recipient or a parameter of an SMTP command.
const ADDRESS = /^[^\s\p{Cc}@<>(),;:"\\[\]]+@[^\s\p{Cc}@<>(),;:"\\[\]]+$/u

function checkAddress(to: string): string {
  if (!ADDRESS.test(to) || to.length > 320) throw new MailRefused('Not a single plain email address')
  return to
}

function messageId(id: string, host: string): string {
  if (!/^[A-Za-z0-9._-]{1,200}$/.test(id)) throw new MailRefused('Not a valid mail id')
  return `<${id}@${host}>`
}

/** A line break in a header would start another header. */
function singleLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()
}

type Deliver = (mail: SendMailOptions) => Promise<void>

/** The limit for one mail; the others detect a silent server sooner. */
const SMTP_LIMIT_MS = 30_000

const TIMEOUTS = {
  dnsTimeout: 5_000,
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 15_000,
}

/** Keeps nodemailer from including files and URLs. */
const CLOSED = { disableFileAccess: true, disableUrlAccess: true }

/** Sends by SMTP. The URL may set further nodemailer options: `smtp://host:587?requireTLS=true`. */
export function smtpDelivery(smtpUrl: string, limitMs = SMTP_LIMIT_MS): Deliver {
  const transport = createTransport({ ...TIMEOUTS, ...CLOSED, url: smtpUrl })
  return async (mail) => {
    const signal = AbortSignal.timeout(limitMs)
    await Promise.race([transport.sendMail({ ...mail, signal }), rejectWhenAborted(signal)])
  }
}

async function checkServer(smtpUrl: string, limitMs: number): Promise<void> {
  const transport = createTransport({ ...TIMEOUTS, ...CLOSED, url: smtpUrl })
  await Promise.race([transport.verify(), rejectWhenAborted(AbortSignal.timeout(limitMs))])
}

function rejectWhenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('The mail server took too long')), { once: true })
  })
}

async function removeMails(folder: string, addresses: readonly string[]): Promise<void> {
  const known = new Set(addresses.map((address) => address.toLowerCase()))
  const names = await readdir(folder).catch((error) => {
    if (isErrno(error, 'ENOENT')) return []
    throw error
  })
  for (const name of names.filter((name) => name.endsWith('.eml'))) {
    const path = join(folder, name)
    // A mail that is being written changes its name meanwhile.
    const text = await readFile(path, 'utf8').catch((error) => {
      if (isErrno(error, 'ENOENT')) return ''
      throw error
    })
    const [, to = ''] = /^To: (.*)\r?$/m.exec(text) ?? []
    if (known.has(to.trim().toLowerCase())) await rm(path, { force: true })
  }
}

/** Writes one `.eml` file per mail, named by time. */
function folderDelivery(folder: string): Deliver {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows', ...CLOSED })
  return async (mail) => {
    const { message } = await transport.sendMail(mail)
    if (!Buffer.isBuffer(message)) throw new Error('nodemailer returned no buffer')
    const time = new Date().toISOString().replace(/[-:.]/g, '')
    const path = join(folder, `${time}-${randomBytes(6).toString('hex')}.eml`)
    try {
      await writeDurably(path, message)
    } catch (error) {
      if (!isErrno(error, 'ENOENT')) throw error
      await makeFolderDurably(folder)
      await writeDurably(path, message)
    }
  }
}
