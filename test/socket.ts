import WebSocket from 'ws'

/** A live connection that remembers its messages. */
export class LiveClient {
  readonly messages: { type: string }[] = []
  readonly #socket: WebSocket
  readonly #waiting = new Set<() => void>()
  readonly closed: Promise<number>

  private constructor(socket: WebSocket) {
    this.#socket = socket
    socket.on('message', (data) => {
      this.messages.push(JSON.parse(String(data)))
      for (const check of this.#waiting) check()
    })
    this.closed = new Promise((resolve) => socket.on('close', resolve))
  }

  /** Opens the channel. Rejects with the status of a refused handshake. */
  static open(url: string, headers: Record<string, string>, query = ''): Promise<LiveClient> {
    const { 'sec-websocket-protocol': side, ...others } = headers
    const socket = new WebSocket(`${url.replace('http', 'ws')}/ws${query}`, side, { headers: others })
    return new Promise((resolve, reject) => {
      const client = new LiveClient(socket)
      socket.on('open', () => resolve(client))
      socket.on('unexpected-response', (_request, response) => reject(new Error(String(response.statusCode))))
      socket.on('error', reject)
    })
  }

  /** The messages, once there are at least `count`. */
  async heard(count: number): Promise<{ type: string }[]> {
    if (this.messages.length >= count) return this.messages
    await new Promise<void>((resolve) => {
      const check = () => {
        if (this.messages.length < count) return
        this.#waiting.delete(check)
        resolve()
      }
      this.#waiting.add(check)
    })
    return this.messages
  }

  say(text: string): void {
    this.#socket.send(text)
  }

  close(): void {
    this.#socket.close()
  }
}
