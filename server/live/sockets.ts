import type { WebSocket } from 'ws'
import { closeCodes, type LiveMessage, MAX_SOCKETS } from '#contract/live.ts'
import type { Seller, Staff } from '#server/http/actor.ts'
import type { Audience, LiveEvent } from './publish.ts'

/** What may wait for a client that doesn't read; beyond it the socket is closed, and the client comes back. */
const MAX_BUFFERED_BYTES = 1024 * 1024
const HEARTBEAT_MS = 30_000

/** Who listens at a socket: the people whose sessions came with its handshake, or a contact thread's visitor. */
export interface Listeners {
  readonly seller?: Seller | undefined
  readonly staff?: Staff | undefined
  /** The visitor's key; such a socket hears that thread and nothing else. */
  readonly sessionId?: string | undefined
}

interface Connection extends Listeners {
  readonly socket: WebSocket
  alive: boolean
}

/** The open sockets of this process, indexed by who may hear what. */
export class Sockets {
  readonly #all = new Set<Connection>()
  readonly #byAudience = new Map<string, Set<Connection>>()
  readonly #maxOfOne: number
  readonly #heartbeat = setInterval(() => this.#beat(), HEARTBEAT_MS).unref()

  constructor(maxOfOne = MAX_SOCKETS) {
    this.#maxOfOne = maxOfOne
  }

  /** Closes it again when whoever listens has too many already. */
  add(socket: WebSocket, listeners: Listeners): void {
    // The close that follows tidies up.
    socket.on('error', () => {})
    if (this.#countOf(listeners) >= this.#maxOfOne) {
      socket.close(closeCodes.tooMany, 'Too many windows are open')
      return
    }
    const connection: Connection = { socket, ...listeners, alive: true }
    this.#all.add(connection)
    for (const audience of audiencesOf(connection)) this.#connectionsOf(audience).add(connection)
    socket.on('pong', () => {
      connection.alive = true
    })
    socket.on('close', () => this.#remove(connection))
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

  /** Hangs up on those that did not answer the goodbye. */
  cutAll(): void {
    for (const { socket } of this.#all) socket.terminate()
  }

  get size(): number {
    return this.#all.size
  }

  /** How many the same person, or thread, has open; of two people in one browser the one with more. */
  #countOf({ seller, staff, sessionId }: Listeners): number {
    let [sellers, staffs, visitors] = [0, 0, 0]
    for (const other of this.#all) {
      if (seller && other.seller?.id === seller.id) sellers++
      if (staff && other.staff?.id === staff.id) staffs++
      if (sessionId !== undefined && other.sessionId === sessionId) visitors++
    }
    return Math.max(sellers, staffs, visitors)
  }

  #connectionsOf(audience: Audience): Set<Connection> {
    const key = keyOf(audience)
    const connections = this.#byAudience.get(key) ?? new Set()
    this.#byAudience.set(key, connections)
    return connections
  }

  #deliver(to: Audience, message: LiveMessage): void {
    const connections = this.#byAudience.get(keyOf(to))
    if (!connections) return
    // One encoding for all of them.
    const frame = JSON.stringify(message)
    for (const { socket } of connections) send(socket, frame)
  }

  #endSessions(sids: ReadonlySet<string>): void {
    for (const { socket, seller, staff } of this.#all) {
      const ended = (seller && sids.has(seller.sid)) || (staff && sids.has(staff.sid))
      if (ended) socket.close(closeCodes.signedOut, 'Signed out')
    }
  }

  #remove(connection: Connection): void {
    this.#all.delete(connection)
    for (const key of audiencesOf(connection).map(keyOf)) {
      const connections = this.#byAudience.get(key)
      connections?.delete(connection)
      if (connections?.size === 0) this.#byAudience.delete(key)
    }
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

function audiencesOf({ seller, staff, sessionId }: Listeners): Audience[] {
  if (sessionId !== undefined) return [{ sessionId }]
  return [...(staff ? (['staff'] as const) : []), ...(seller ? [{ userId: seller.id }] : [])]
}

function keyOf(audience: Audience): string {
  if (audience === 'staff') return audience
  return 'userId' in audience ? `seller ${audience.userId}` : `contact ${audience.sessionId}`
}

function send(socket: WebSocket, frame: string): void {
  if (socket.readyState !== socket.OPEN) return
  if (socket.bufferedAmount > MAX_BUFFERED_BYTES) socket.close(closeCodes.tooSlow, 'Too slow')
  else socket.send(frame)
}
