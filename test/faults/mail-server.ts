import { createServer, type Socket } from 'node:net'
import { SMTPServer } from 'smtp-server'

type Mode = 'working' | 'down' | 'hanging' | 'dropping'

export interface MailServer {
  readonly url: string
  /** Message-IDs of the mails it accepted. */
  readonly accepted: ReadonlySet<string>
  readonly setMode: (mode: Mode) => void
  readonly stop: () => void
}

export async function startMailServer(): Promise<MailServer> {
  const accepted = new Set<string>()
  let mode: Mode = 'working'
  const hanging = new Set<Socket>()
  const line = createServer((socket) => {
    if (mode === 'down') return void socket.destroy()
    if (mode === 'hanging') return void hanging.add(socket)
    smtp.server.emit('connection', socket)
  })
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      let text = ''
      stream.on('data', (chunk: Buffer) => {
        text += chunk
      })
      stream.on('end', () => {
        if (mode === 'dropping') return void hangUp(session.remotePort)
        accepted.add(/^Message-ID: <([^@>]+)@/im.exec(text)?.[1] ?? '')
        done()
      })
    },
  })
  const sockets = new Map<number | undefined, Socket>()
  line.on('connection', (socket) => sockets.set(socket.remotePort, socket))
  const hangUp = (port: number) => sockets.get(port)?.destroy()
  await new Promise<void>((resolve) => line.listen(0, '127.0.0.1', resolve))
  const stop = () => {
    for (const socket of sockets.values()) socket.destroy()
    line.close()
  }
  const setMode = (next: Mode) => {
    mode = next
    // mailer.test.ts tests the timeout for a server that hangs.
    if (next === 'working') for (const socket of hanging) socket.destroy()
  }
  const { port } = line.address() as { port: number }
  return { url: `smtp://127.0.0.1:${port}`, accepted, setMode, stop }
}
