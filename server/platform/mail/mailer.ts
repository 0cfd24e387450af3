import { isIP } from 'node:net'
import { join } from 'node:path'
import { type Deliver, folderDelivery, smtpDelivery } from './transport.ts'

export type MailerOptions = {
  /** Unset: mails become files below `dataDir`/mail. */
  smtpUrl?: string | undefined
  dataDir: string
  /** Unset: no-reply at the host of the site. */
  mailFrom?: string | undefined
  mailReplyTo?: string | undefined
}

export type Sender = {
  readonly productName: string
  /** Read anew for each mail: it may only be known once the server listens, and be empty before. */
  readonly publicUrl: string
}

export type Mail = {
  /** One address, without a name. */
  to: string
  subject: string
  text: string
  html: string
  /**
   * Names the mail for good: letters, digits, `.`, `_` and `-`. Pass the same when trying again, so that whoever
   * gets both can tell that they are one.
   */
  id?: string
}

/** Thrown for a mail that no try will ever send, such as one to no address. */
export class MailRefused extends Error {
  override name = 'MailRefused'
}

export type Mailer = {
  /**
   * Fulfilled once a mail server has taken the mail or its file is written. Throws `MailRefused`, or whatever
   * went wrong on the way; then it may be tried again.
   */
  sendMail(mail: Mail): Promise<void>
}

/** The way out for mails: by SMTP when there is a server for it, else into files. */
export function createMailer(
  { smtpUrl, dataDir, mailFrom, mailReplyTo }: MailerOptions,
  sender: Sender,
): Mailer {
  const deliver: Deliver = smtpUrl ? smtpDelivery(smtpUrl) : folderDelivery(join(dataDir, 'mail'))
  return {
    async sendMail({ to, subject, text, html, id }) {
      const host = mailHost(sender.publicUrl)
      await deliver({
        from: { name: oneLine(sender.productName), address: mailFrom ?? `no-reply@${host}` },
        ...(mailReplyTo && { replyTo: mailReplyTo }),
        to: { name: '', address: oneAddress(to) },
        subject: oneLine(subject),
        text,
        html,
        ...(id === undefined ? {} : { messageId: messageId(id, host) }),
        // RFC 3834: keeps holiday notices from being sent in return.
        headers: { 'Auto-Submitted': 'auto-generated' },
      })
    },
  }
}

// A number is no mail domain; such a server is somebody's own machine.
function mailHost(publicUrl: string): string {
  const host = publicUrl === '' ? '' : new URL(publicUrl).hostname
  return host === '' || isIP(host.replace(/^\[|\]$/g, '')) ? 'localhost' : host
}

// What could end the address and begin a header, a second recipient or a parameter of the SMTP command.
const ADDRESS = /^[^\s\p{Cc}@<>(),;:"\\[\]]+@[^\s\p{Cc}@<>(),;:"\\[\]]+$/u

function oneAddress(to: string): string {
  if (!ADDRESS.test(to) || to.length > 320) throw new MailRefused('Not one plain mail address')
  return to
}

function messageId(id: string, host: string): string {
  if (!/^[A-Za-z0-9._-]{1,200}$/.test(id)) throw new MailRefused('Not the id of a mail')
  return `<${id}@${host}>`
}

// A line break in a header would begin another header.
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()
}
