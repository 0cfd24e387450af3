import type { WebSocket } from 'ws'
import { closeCodes, LIVE_PING, type LiveMessage, MAX_SOCKETS } from '#contract/live.ts'
import type { Audience, LiveEvent } from './publish.ts'

/** Unread bytes after which a slow client is disconnected. It reconnects and reads what it missed. */
const MAX_BUFFERED_BYTES = 1024 * 1024
/** A client that has not answered a ping after this many ms is gone. */
const HEARTBEAT_MS = 15_000

/** What entitles a socket to messages: a session, or the key of a contact thread. */
export interface Listener {
  readonly audience: Audience
  /** The person, or the key of a contact thread, whose sockets are counted together. */
  readonly owner: string
  /** Undefined for a contact thread: its key does not expire by time. */
  readonly session?: ListeningSession | undefined
}

interface ListeningSession {
  readonly sid: string
  /** Queries the database for several sessions at once. Those that have ended are missing. */
  readonly secondsLeft: (sids: readonly string[]) => Promise<ReadonlyMap<string, number>>
}

/** A listener on its socket. */
interface Subscription extends Listener {
  readonly connection: Connection
  /** When the session ends if it is not used until then, in ms of `performance.now()`. */
  endsAt: number
  /** Set while the database is asked whether the session still exists. */
  confirming?: Promise<void> | undefined
}

interface Connection {
  readonly socket: WebSocket
  readonly subscriptions: Set<Subscription>
  alive: boolean
}

const PONG = JSON.stringify({ type: 'PONG' } satisfies LiveMessage)

/** The open sockets of this process, by audience. */
export class Sockets {
  readonly #all = new Set<Connection>()
  readonly #byAudience = new Map<string, Set<Subscription>>()
  readonly #maxPerOwner: number
  readonly #heartbeat = setInterval(() => this.#beat(), HEARTBEAT_MS).unref()

  constructor(maxPerOwner = MAX_SOCKETS) {
    this.#maxPerOwner = maxPerOwner
  }

  /** A browser with a seller's and an administrator's session can have two listeners on one socket. */
  add(socket: WebSocket, listeners: readonly Listener[]): void {
    // An error is followed by `close`, which cleans up.
    socket.on('error', () => {})
    if (listeners.some((listener) => this.#countOf(listener) >= this.#maxPerOwner)) {
      socket.close(closeCodes.tooMany, 'Too many windows are open')
      return
    }
    const connection: Connection = { socket, subscriptions: new Set(), alive: true }
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

  /** Handles a notification of any process. */
  handle(event: LiveEvent): void {
    if ('end' in event) this.#endSessions(new Set(event.end))
    else for (const { to, message } of event.deliver) this.#deliver(to, message)
  }

  /** Closes every socket. The clients reconnect, to this process or another one. */
  closeAll(): void {
    for (const { socket } of this.#all) goAway(socket)
  }

  stop(): void {
    clearInterval(this.#heartbeat)
    this.closeAll()
  }

  /** Disconnects the sockets that did not complete the closing handshake. */
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
    const subscription: Subscription = {
      ...listener,
      connection,
      endsAt: session ? 0 : Number.POSITIVE_INFINITY,
    }
    connection.subscriptions.add(subscription)
    const key = keyOf(audience)
    const subscriptions = this.#byAudience.get(key) ?? new Set()
    this.#byAudience.set(key, subscriptions.add(subscription))
    // The session may have ended during the handshake, before this socket could be closed for it.
    if (session) void this.#confirm(subscription)
  }

  #deliver(to: Audience, message: LiveMessage): void {
    const subscriptions = this.#byAudience.get(keyOf(to))
    if (!subscriptions) return
    const frame = JSON.stringify(message)
    const now = performance.now()
    for (const subscription of subscriptions) {
      const { socket, subscriptions: all } = subscription.connection
      if (subscription.endsAt > now) send(socket, frame)
      else void this.#confirm(subscription).then(() => all.has(subscription) && send(socket, frame))
    }
  }

  /** Ends all subscriptions of its session if that has ended. */
  #confirm(subscription: Subscription): Promise<void> {
    subscription.confirming ??= this.#readEnd(subscription).finally(() => {
      subscription.confirming = undefined
    })
    return subscription.confirming
  }

  async #readEnd(subscription: Subscription): Promise<void> {
    const asked = performance.now()
    try {
      const { session } = subscription
      if (!session) return
      const secondsLeft = (await session.secondsLeft([session.sid])).get(session.sid) ?? 0
      subscription.endsAt = asked + secondsLeft * 1000
      if (secondsLeft <= 0) this.#endSessions(new Set([session.sid]))
    } catch {
      // The database does not answer. The client reconnects and reads what it missed.
      goAway(subscription.connection.socket)
    }
  }

  #endSessions(sids: ReadonlySet<string>): void {
    for (const { subscriptions } of this.#all) {
      for (const subscription of subscriptions)
        if (sids.has(subscription.session?.sid ?? subscription.owner)) this.#end(subscription)
    }
  }

  /** Removes one listener. The socket closes with its last one. */
  #end(subscription: Subscription): void {
    const { subscriptions, socket } = subscription.connection
    if (!subscriptions.delete(subscription)) return
    const key = keyOf(subscription.audience)
    const others = this.#byAudience.get(key)
    others?.delete(subscription)
    if (others?.size === 0) this.#byAudience.delete(key)
    if (subscriptions.size === 0) socket.close(closeCodes.signedOut, 'Signed out')
  }

  #remove(connection: Connection): void {
    this.#all.delete(connection)
    for (const subscription of connection.subscriptions) this.#end(subscription)
  }

  /** Finds what nothing announces: clients that lost their network, and sessions that expired or were deleted. */
  #beat(): void {
    void this.#confirmAll()
    for (const connection of this.#all) {
      if (!connection.alive) {
        connection.socket.terminate()
        continue
      }
      connection.alive = false
      connection.socket.ping()
    }
  }

  /** Asks for all sessions in one query. If the database does not answer, the next beat asks again. */
  async #confirmAll(): Promise<void> {
    const bySid = Map.groupBy(
      [...this.#all].flatMap(({ subscriptions }) => [...subscriptions]),
      ({ session }) => session?.sid,
    )
    bySid.delete(undefined)
    const [first] = [...bySid.values()].flat()
    const sids = [...bySid.keys()].filter((sid) => sid !== undefined)
    const asked = performance.now()
    const left = await first?.session?.secondsLeft(sids).catch(() => undefined)
    if (!left) return
    for (const sid of sids) {
      for (const subscription of bySid.get(sid) ?? [])
        subscription.endsAt = asked + (left.get(sid) ?? 0) * 1000
    }
    this.#endSessions(new Set(sids.filter((sid) => !left.has(sid))))
  }
}

function keyOf(audience: Audience): string {
  if (typeof audience === 'string') return audience
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
