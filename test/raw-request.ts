import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** A connection that says exactly what it is given, and remembers everything that came back. */
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

  /** @param from another address of this machine to call from, like 127.0.0.2 */
  static async open(url: string, from?: string): Promise<RawConnection> {
    const { hostname, port } = new URL(url)
    const socket = connect({ port: Number(port), host: hostname, ...(from && { localAddress: from }) })
    await once(socket, 'connect')
    return new RawConnection(socket)
  }

  say(text: string | Buffer): void {
    if (!this.#socket.destroyed) this.#socket.write(text)
  }

  /** Takes nothing more off the wire. */
  stopReading(): void {
    this.#socket.pause()
  }

  /** Says all of it before it reads anything, as many a program does. */
  async sayBeforeReading(text: string): Promise<void> {
    this.stopReading()
    await new Promise((resolve) => this.#socket.write(text, resolve))
    this.#socket.resume()
  }

  close(): void {
    this.#socket.destroy()
  }
}

/** Says something and hears everything until the other side hangs up. */
export async function sayRaw(url: string, text: string): Promise<string> {
  const connection = await RawConnection.open(url)
  connection.say(text)
  await connection.ended
  return connection.heard
}
