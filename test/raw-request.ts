import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** A connection that sends exactly what it is given and remembers everything it receives. */
export class RawConnection {
  readonly #socket: Socket
  heard = ''
  readonly ended: Promise<void>

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.on('data', (bytes) => {
      this.heard += bytes.toString('latin1')
    })
    socket.on('error', () => {})
    this.ended = new Promise((resolve) => socket.on('close', () => resolve()))
  }

  /** @param from another address of this machine to connect from, like 127.0.0.2 */
  static async open(url: string, from?: string): Promise<RawConnection> {
    const { hostname, port } = new URL(url)
    const socket = connect({ port: Number(port), host: hostname, ...(from && { localAddress: from }) })
    await once(socket, 'connect')
    return new RawConnection(socket)
  }

  say(text: string | Buffer): void {
    if (!this.#socket.destroyed) this.#socket.write(text)
  }

  stopReading(): void {
    this.#socket.pause()
  }

  /** Sends everything before it reads anything, like many programs. */
  async sayBeforeReading(text: string): Promise<void> {
    this.stopReading()
    await new Promise((resolve) => this.#socket.write(text, resolve))
    this.#socket.resume()
  }

  close(): void {
    this.#socket.destroy()
  }
}

/** Sends a text and returns everything received until the server disconnects. */
export async function sayRaw(url: string, text: string): Promise<string> {
  const connection = await RawConnection.open(url)
  connection.say(text)
  await connection.ended
  return connection.heard
}
