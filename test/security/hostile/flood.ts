import { randomBytes } from 'node:crypto'
import { Agent, request } from 'node:http'

/**
 * Floods a server from another address than the test's: `node flood.ts URL KIND`. Calls over 400 connections until SIGTERM,
 * then prints the number of answers by status.
 */
const [, , url = '', kind = ''] = process.argv
const CONNECTIONS = 400

const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
const token = () => randomBytes(32).toString('base64url')
const websocket = { connection: 'upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' }

const kinds: Readonly<Record<string, () => { path: string; headers: Record<string, string> }>> = {
  sessions: () => ({ path: '/api/user/gift-cards', headers: { cookie: `unspent_session=${token()}` } }),
  handshakes: () => ({
    path: '/ws',
    headers: { ...websocket, 'sec-websocket-key': token(), cookie: `unspent_session=${token()}` },
  }),
  probes: () => ({ path: '/readyz', headers: {} }),
}

const answered: Record<number, number> = {}

function call(): Promise<void> {
  const { path, headers } = (kinds[kind] as () => { path: string; headers: Record<string, string> })()
  return new Promise((resolve) => {
    const asked = request(new URL(path, url), { agent, headers, localAddress: '127.0.0.2' }, (answer) => {
      answered[answer.statusCode ?? 0] = (answered[answer.statusCode ?? 0] ?? 0) + 1
      answer.resume().on('end', resolve)
    })
    asked.on('error', () => resolve()).end()
  })
}

let isStopped = false
process.once('SIGTERM', () => {
  isStopped = true
})
async function keepCalling(): Promise<void> {
  while (!isStopped) await call()
}
process.stdout.write('flooding\n')
await Promise.all(Array.from({ length: CONNECTIONS }, keepCalling))
process.stdout.write(JSON.stringify(answered), () => process.exit())
