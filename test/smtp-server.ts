import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { afterwards } from './afterwards.ts'

interface Received {
  readonly from: string
  readonly to: string[]
  readonly eml: string
}

/** A mail server on this machine that keeps what it receives. It stops after the tests of the file. */
export async function smtpServer(
  options: SMTPServerOptions = {},
): Promise<{ url: string; received: Received[] }> {
  const received: Received[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onData(stream, session, callback) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        const from = mailFrom ? mailFrom.address : ''
        received.push({ from, to: rcptTo.map((to) => to.address), eml: Buffer.concat(chunks).toString() })
        callback()
      })
    },
    ...options,
  })
  const listening = server.listen(0, '127.0.0.1')
  await new Promise((resolve) => listening.once('listening', resolve))
  afterwards(() => new Promise<void>((resolve) => server.close(() => resolve())))
  return { url: `smtp://127.0.0.1:${portOf(listening)}`, received }
}

export function portOf(server: { address(): unknown }): number {
  const address = server.address()
  return typeof address === 'object' && address && 'port' in address ? Number(address.port) : 0
}

/** The headers of a mail, folded lines joined. */
export function headersOf(eml: string): string[] {
  return (eml.split('\r\n\r\n')[0] ?? '').replace(/\r\n[ \t]+/g, ' ').split('\r\n')
}
