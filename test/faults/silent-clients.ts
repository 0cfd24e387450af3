import { once } from 'node:events'
import { connect } from 'node:net'

/**
 * Clients whose network went away in the middle: of the headers, of an upload, and of an open socket that reads nothing.
 * @returns what is fulfilled when each was hung up on
 */
export async function fallSilent(url: string, cookie: string, count: number): Promise<Promise<unknown>[]> {
  const { hostname, port, host } = new URL(url)
  const head = `Host: ${host}\r\nCookie: ${cookie}\r\n`
  const begun = [
    `GET /api/user/gift-cards HTTP/1.1\r\n${head}`,
    `POST /api/gift-cards HTTP/1.1\r\n${head}Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 9000\r\n\r\n--x\r\n`,
    `GET /ws HTTP/1.1\r\n${head}Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${btoa('x'.repeat(16))}\r\n\r\n`,
  ]
  const clients = Array.from({ length: count }, async (_, at) => {
    const socket = connect(Number(port), hostname)
    socket.on('error', () => undefined).on('data', () => undefined)
    await once(socket, 'connect')
    socket.write(begun[at % begun.length] ?? '')
    // Nothing is answered, pings and goodbyes included; that the line is cut it does notice.
    return { closed: once(socket, 'close') }
  })
  return (await Promise.all(clients)).map(({ closed }) => closed)
}
