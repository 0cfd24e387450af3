import { once } from 'node:events'
import WebSocket from 'ws'

/** Opens the live channel of a server. */
export async function openSocket(url: string, headers?: { cookie: string }): Promise<WebSocket> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`, {
    headers: headers && { cookie: headers.cookie },
    perMessageDeflate: false,
  })
  await once(socket, 'open')
  return socket
}
