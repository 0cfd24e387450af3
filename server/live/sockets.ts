import type { WebSocket } from 'ws'
import { closeCodes, type LiveMessage } from '#contract/live.ts'
import type { Seller, Staff } from '#server/http/actor.ts'
import type { Audience, LiveEvent } from './publish.ts'

/** What may wait for a client that doesn't read; beyond it the socket is closed, and the client comes back. */
const MAX_BUFFERED_BYTES = 1024 * 1024
const HEARTBEAT_MS = 30_000

/** A socket with the people whose sessions came with its handshake. */
interface Connection {
  readonly socket: WebSocket
  readonly seller: Seller | undefined
  readonly staff: Staff | undefined
  alive: boolean
}

/** The open sockets of this process, indexed by who may hear what. */
export class Sockets {
  readonly #all = new Set<Connection>()
  readonly #staff = new Set<Connection>()
  readonly #sellers = new Map<string, Set<Connection>>()
  readonly #heartbeat = setInterval(() => this.#beat(), HEARTBEAT_MS).unref()

  add(socket: WebSocket, people: { seller: Seller | undefined; staff: Staff | undefined }): void {
    const connection: Connection = { socket, ...people, alive: true }
    this.#all.add(connection)
    if (people.staff) this.#staff.add(connection)
    if (people.seller) this.#ofSeller(people.seller.id).add(connection)
    socket.on('pong', () => {
      connection.alive = true
    })
    socket.on('close', () => this.#remove(connection))
    // The close that follows tidies up.
    socket.on('error', () => {})
  }

  /** Carries out what any process of the product published. */
  handle(event: LiveEvent): void {
    if ('end' in event) this.#endSessions(new Set(event.end))
    else for (const { to, message } of event.deliver) this.#deliver(to, message)
  }

  /** Ends every socket; the clients reconnect elsewhere, or here in a while. */
  closeAll(): void {
    for (const { socket } of this.#all) socket.close(closeCodes.goingAway, 'The server is going away')
  }

  stop(): void {
    clearInterval(this.#heartbeat)
    this.closeAll()
  }

  get size(): number {
    return this.#all.size
  }

  #ofSeller(id: string): Set<Connection> {
    const connections = this.#sellers.get(id) ?? new Set()
    this.#sellers.set(id, connections)
    return connections
  }

  #deliver(to: Audience, message: LiveMessage): void {
    const audience = to === 'staff' ? this.#staff : this.#sellers.get(to.userId)
    if (!audience?.size) return
    // One encoding for all of them.
    const frame = JSON.stringify(message)
    for (const { socket } of audience) send(socket, frame)
  }

  #endSessions(sids: ReadonlySet<string>): void {
    for (const { socket, seller, staff } of this.#all) {
      const ended = (seller && sids.has(seller.sid)) || (staff && sids.has(staff.sid))
      if (ended) socket.close(closeCodes.signedOut, 'Signed out')
    }
  }

  #remove(connection: Connection): void {
    this.#all.delete(connection)
    this.#staff.delete(connection)
    const { seller } = connection
    if (!seller) return
    const connections = this.#sellers.get(seller.id)
    connections?.delete(connection)
    if (connections?.size === 0) this.#sellers.delete(seller.id)
  }

  /** A phone that lost its network never says so: who didn't answer the last ping is gone. */
  #beat(): void {
    for (const connection of this.#all) {
      if (!connection.alive) {
        connection.socket.terminate()
        continue
      }
      connection.alive = false
      connection.socket.ping()
    }
  }
}

function send(socket: WebSocket, frame: string): void {
  if (socket.readyState !== socket.OPEN) return
  if (socket.bufferedAmount > MAX_BUFFERED_BYTES) socket.close(closeCodes.tooSlow, 'Too slow')
  else socket.send(frame)
}
