import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { createTransport, type SendMailOptions } from 'nodemailer'
import { isErrno, makeFolderDurably, writeDurably } from '#server/platform/durable-file.ts'

/** Hands a composed mail on. Fulfilled when a mail server took it, or when it is safely in its file. */
export type Deliver = (mail: SendMailOptions) => Promise<void>

/** Time for one mail, whatever the server does; the other limits end a silent one sooner. */
const SMTP_LIMIT_MS = 30_000

const TIMEOUTS = {
  dnsTimeout: 5_000,
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 15_000,
}

// A mail consists of what it is given; nothing is fetched for it.
const CLOSED = { disableFileAccess: true, disableUrlAccess: true }

/** By SMTP. The address may set further options of nodemailer: `smtp://host:587?requireTLS=true`. */
export function smtpDelivery(smtpUrl: string, limitMs = SMTP_LIMIT_MS): Deliver {
  const transport = createTransport({ ...TIMEOUTS, ...CLOSED, url: smtpUrl })
  return async (mail) => {
    const signal = AbortSignal.timeout(limitMs)
    await Promise.race([transport.sendMail({ ...mail, signal }), rejectWhenAborted(signal)])
  }
}

/** As one `.eml` file per mail, which mail programs open. Sorted by name they are sorted by time. */
export function folderDelivery(folder: string): Deliver {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows', ...CLOSED })
  return async (mail) => {
    const { message } = await transport.sendMail(mail)
    if (!Buffer.isBuffer(message)) throw new Error('A mail was not composed as bytes')
    await writeInFolder(folder, fileName(), message)
  }
}

/** The folder is made when it is missed: asking for it each time was a thirtieth of what a move costs the server. */
async function writeInFolder(folder: string, name: string, message: Buffer): Promise<void> {
  try {
    await writeDurably(join(folder, name), message)
  } catch (error) {
    if (!isErrno(error, 'ENOENT')) throw error
    await makeFolderDurably(folder)
    await writeDurably(join(folder, name), message)
  }
}

function fileName(): string {
  const time = new Date().toISOString().replace(/[-:.]/g, '')
  return `${time}-${randomBytes(6).toString('hex')}.eml`
}

function rejectWhenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('The mail server took too long')), { once: true })
  })
}
