import { once } from 'node:events'
import { connect } from 'node:net'

/**
 * Opens connections of clients that fall silent: within the headers, within an upload, and on an open WebSocket.
 *
 * @returns promises that resolve when the server closes each connection
 */
export async function fallSilent(url: string, cookie: string, count: number): Promise<Promise<unknown>[]> {
  const { hostname, port, host } = new URL(url)
  const head = `Host: ${host}\r\nCookie: ${cookie}\r\n`
  const begun = [
    `GET /api/user/gift-cards HTTP/1.1\r\n${head}`,
    `POST /api/gift-cards HTTP/1.1\r\n${head}Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 9000\r\n\r\n--x\r\n`,
    `GET /ws HTTP/1.1\r\n${head}Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${btoa('x'.repeat(16))}\r\n\r\n`,
  ]
  const clients = Array.from({ length: count }, async (_, index) => {
    const socket = connect(Number(port), hostname)
    socket.on('error', () => undefined).on('data', () => undefined)
    await once(socket, 'connect')
    socket.write(begun[index % begun.length] ?? '')
    // It answers nothing, not even pings, but notices when the connection is closed.
    return { closed: once(socket, 'close') }
  })
  return (await Promise.all(clients)).map(({ closed }) => closed)
}
