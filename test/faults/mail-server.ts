import { createServer, type Socket } from 'node:net'
import { SMTPServer } from 'smtp-server'

type MailMood = 'well' | 'down' | 'hanging' | 'dropping'

export interface MailServer {
  readonly url: string
  readonly taken: ReadonlySet<string>
  readonly feel: (mood: MailMood) => void
  readonly stop: () => void
}

export async function startMailServer(): Promise<MailServer> {
  const taken = new Set<string>()
  let mood: MailMood = 'well'
  const hanging = new Set<Socket>()
  const line = createServer((socket) => {
    if (mood === 'down') return void socket.destroy()
    if (mood === 'hanging') return void hanging.add(socket)
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
        if (mood === 'dropping') return void hangUp(session.remotePort)
        taken.add(/^Message-ID: <([^@>]+)@/im.exec(text)?.[1] ?? '')
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
  const feel = (next: MailMood) => {
    mood = next
    // One that went away; the product's own patience with it is tested where mail is.
    if (next === 'well') for (const socket of hanging) socket.destroy()
  }
  const { port } = line.address() as { port: number }
  return { url: `smtp://127.0.0.1:${port}`, taken, feel, stop }
}
