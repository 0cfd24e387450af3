import type { WebSocket } from 'ws'
import { closeCodes, LIVE_PING, type LiveMessage, MAX_SOCKETS } from '#contract/live.ts'
import type { Audience, LiveEvent } from './publish.ts'

/** Unread bytes after which a slow client is disconnected. It reconnects and reads what it missed. */
const MAX_BUFFERED_BYTES = 1024 * 1024
/** A client that has not answered a ping after this many ms is gone. */
const HEARTBEAT_MS = 15_000

/** One reason to hear messages: a session, or the key of a contact thread. */
export interface Listener {
  readonly audience: Audience
  /** The person or thread whose sockets are counted together. */
  readonly owner: string
  /** A contact thread has none: its key does not expire. */
  readonly session?: ListeningSession | undefined
}

export interface ListeningSession {
  readonly sid: string
  /** Asks the database. 0 once the session has ended. */
  readonly secondsLeft: () => Promise<number>
}

/** A listener at its socket. */
interface Hearing extends Listener {
  readonly connection: Connection
  /** When the session ends unless it was used meanwhile, on the clock of `performance.now()`. */
  endsAt: number
  /** Messages that wait for the answer whether the session goes on; unset while nobody asks. */
  held?: string[] | undefined
}

interface Connection {
  readonly socket: WebSocket
  readonly hearings: Set<Hearing>
  alive: boolean
}

const PONG = JSON.stringify({ type: 'PONG' } satisfies LiveMessage)

/** The open sockets of this process, indexed by who may hear what. */
export class Sockets {
  readonly #all = new Set<Connection>()
  readonly #byAudience = new Map<string, Set<Hearing>>()
  readonly #maxOfOne: number
  readonly #heartbeat = setInterval(() => this.#beat(), HEARTBEAT_MS).unref()

  constructor(maxOfOne = MAX_SOCKETS) {
    this.#maxOfOne = maxOfOne
  }

  /** A browser with a seller's and an administrator's session can have two listeners at one socket. */
  add(socket: WebSocket, listeners: readonly Listener[]): void {
    // The close that follows tidies up.
    socket.on('error', () => {})
    if (listeners.some((listener) => this.#countOf(listener) >= this.#maxOfOne)) {
      socket.close(closeCodes.tooMany, 'Too many windows are open')
      return
    }
    const connection: Connection = { socket, hearings: new Set(), alive: true }
    this.#all.add(connection)
    socket.on('message', (data) => {
      if (String(data) === LIVE_PING) send(socket, PONG)
    })
    socket.on('pong', () => {
      connection.alive = true
    })
    socket.on('close', () => this.#remove(connection))
    for (const listener of listeners) this.#listen(connection, listener)
  }

  /** Carries out what any process of the product published. */
  handle(event: LiveEvent): void {
    if ('end' in event) this.#endSessions(new Set(event.end))
    else for (const { to, message } of event.deliver) this.#deliver(to, message)
  }

  /** Ends every socket; the clients reconnect elsewhere, or here in a while. */
  closeAll(): void {
    for (const { socket } of this.#all) goAway(socket)
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

  #countOf(listener: Listener): number {
    const key = keyOf(listener.audience)
    let count = 0
    for (const { owner } of this.#byAudience.get(key) ?? []) if (owner === listener.owner) count++
    return count
  }

  #listen(connection: Connection, listener: Listener): void {
    const { audience, session } = listener
    const hearing: Hearing = { ...listener, connection, endsAt: session ? 0 : Number.POSITIVE_INFINITY }
    connection.hearings.add(hearing)
    const key = keyOf(audience)
    const hearings = this.#byAudience.get(key) ?? new Set()
    this.#byAudience.set(key, hearings.add(hearing))
    // A session that ended during the handshake was announced before this socket could hear it.
    if (session) void this.#confirm(hearing, session)
  }

  #deliver(to: Audience, message: LiveMessage): void {
    const hearings = this.#byAudience.get(keyOf(to))
    if (!hearings) return
    // One encoding for all of them.
    const frame = JSON.stringify(message)
    const now = performance.now()
    for (const hearing of hearings) {
      if (hearing.session && hearing.endsAt <= now) void this.#confirm(hearing, hearing.session, frame)
      else send(hearing.connection.socket, frame)
    }
  }

  /** Holds messages back until it is known whether the session goes on. */
  async #confirm(hearing: Hearing, session: ListeningSession, ...frames: string[]): Promise<void> {
    if (hearing.held) {
      hearing.held.push(...frames)
      return
    }
    hearing.held = frames
    const asked = performance.now()
    try {
      const secondsLeft = await session.secondsLeft()
      hearing.endsAt = asked + secondsLeft * 1000
      if (secondsLeft <= 0) this.#end(hearing)
      else if (this.#isListening(hearing)) for (const frame of frames) send(hearing.connection.socket, frame)
    } catch {
      // The database is away. The client reconnects and reads what it missed.
      goAway(hearing.connection.socket)
    }
    hearing.held = undefined
  }

  #isListening(hearing: Hearing): boolean {
    return hearing.connection.hearings.has(hearing)
  }

  #endSessions(sids: ReadonlySet<string>): void {
    for (const { hearings } of this.#all) {
      for (const hearing of hearings) if (hearing.session && sids.has(hearing.session.sid)) this.#end(hearing)
    }
  }

  /** Ends one session's part; the socket ends with its last one. */
  #end(hearing: Hearing): void {
    const { hearings, socket } = hearing.connection
    if (!hearings.delete(hearing)) return
    const key = keyOf(hearing.audience)
    const others = this.#byAudience.get(key)
    others?.delete(hearing)
    if (others?.size === 0) this.#byAudience.delete(key)
    if (hearings.size === 0) socket.close(closeCodes.signedOut, 'Signed out')
  }

  #remove(connection: Connection): void {
    this.#all.delete(connection)
    for (const hearing of connection.hearings) this.#end(hearing)
  }

  /** A phone that lost its network never says so. A session that ran out doesn't either. */
  #beat(): void {
    const now = performance.now()
    for (const connection of this.#all) {
      if (!connection.alive) {
        connection.socket.terminate()
        continue
      }
      connection.alive = false
      connection.socket.ping()
      for (const hearing of connection.hearings) {
        if (hearing.session && hearing.endsAt <= now) void this.#confirm(hearing, hearing.session)
      }
    }
  }
}

function keyOf(audience: Audience): string {
  if (audience === 'staff') return audience
  return 'userId' in audience ? `seller ${audience.userId}` : `contact ${audience.sessionId}`
}

function goAway(socket: WebSocket): void {
  socket.close(closeCodes.goingAway, 'The server is going away')
}

function send(socket: WebSocket, frame: string): void {
  if (socket.readyState !== socket.OPEN) return
  if (socket.bufferedAmount > MAX_BUFFERED_BYTES) socket.close(closeCodes.tooSlow, 'Too slow')
  else socket.send(frame)
}
