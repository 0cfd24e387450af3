import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import type { Connection } from '#server/platform/database/pool.ts'

/** Where the connection is interrupted. Nothing passes after that. */
export interface Trap {
  /** Matches the statement, followed by its values, one per line. */
  readonly at: RegExp
  /** Only on a connection that already sent a statement that matches this. */
  readonly since?: RegExp
  /** Which match on all connections, counted from 1. Default: the first. */
  readonly nth?: number
  /** Before PostgreSQL receives it, or after it is executed and before the server gets the answer. */
  readonly moment: 'before' | 'after'
  readonly spring: () => void
}

/** A proxy between a server and its PostgreSQL that breaks the connection at a statement chosen by a test. */
export class DatabaseLine {
  readonly #line: Server
  readonly #connection: Connection
  readonly #sockets = new Set<Socket>()
  #trap: Trap | undefined
  /** Number of statements that matched so far. */
  #passed = 0

  private constructor(connection: Connection) {
    this.#connection = connection
    this.#line = createServer((server) => this.#join(server))
  }

  static async open(connection: Connection): Promise<DatabaseLine> {
    const line = new DatabaseLine(connection)
    await new Promise<void>((resolve) => line.#line.listen(0, '127.0.0.1', resolve))
    return line
  }

  /** For DATABASE_URL. */
  get url(): string {
    const { user, password, database } = this.#connection
    const { port } = this.#line.address() as AddressInfo
    return `postgres://${user}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`
  }

  /** Sets a trap for one statement. Resolves when it is sprung. */
  snapAt(trap: Omit<Trap, 'spring'>, spring: () => void = () => undefined): Promise<void> {
    this.#passed = 0
    return new Promise((resolve) => {
      this.#trap = {
        ...trap,
        spring: () => {
          this.#trap = undefined
          spring()
          resolve()
        },
      }
    })
  }

  /** Breaks every connection. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  close(): void {
    this.cut()
    this.#line.close()
  }

  /** Whether this is the statement of the trap. */
  #isIn(text: string, before: readonly string[]): boolean {
    const trap = this.#trap
    if (!trap?.at.test(text)) return false
    if (trap.since && !before.some((one) => trap.since?.test(one))) return false
    this.#passed += 1
    return this.#passed === (trap.nth ?? 1)
  }

  #join(server: Socket): void {
    const { host, port } = this.#connection
    const postgres = connect({ path: `${host}/.s.PGSQL.${port}` })
    const sent: string[] = []
    let sprung: Trap | undefined
    const prepared = new Map<string, string>()
    const statements = new Messages(false, (type, body) => {
      if (type === 'P') prepared.set(textAt(body, 0), textAt(body, body.indexOf(0) + 1))
      const text = type === 'Q' ? textAt(body, 0) : type === 'B' ? boundText(body, prepared) : undefined
      if (text === undefined || sprung) return
      if (this.#isIn(text, sent)) sprung = this.#trap
      sent.push(text)
    })
    const answers = new Messages(true, (type) => {
      if (type === 'Z' && sprung?.moment === 'after') sprung.spring()
    })
    pass(server, postgres, (chunk) => {
      const before = sprung
      statements.read(chunk)
      if (sprung?.moment !== 'before') return true
      if (!before) sprung.spring()
      return false
    })
    pass(postgres, server, (chunk) => {
      answers.read(chunk)
      return sprung === undefined
    })
    for (const socket of [server, postgres]) {
      this.#sockets.add(socket)
      socket.on('close', () => this.#sockets.delete(socket))
    }
  }
}

/** Forwards chunks as long as `mayPass` allows. When one side closes, the other is closed too. */
function pass(from: Socket, to: Socket, mayPass: (chunk: Buffer) => boolean): void {
  from.on('data', (chunk) => {
    if (mayPass(chunk)) to.write(chunk)
  })
  from.on('error', () => to.destroy())
  from.on('close', () => to.destroy())
}

const textAt = (body: Buffer, start: number): string => body.toString('utf8', start, body.indexOf(0, start))

/** Returns a statement and its values from a Bind message: portal, statement name, formats, values. */
function boundText(body: Buffer, prepared: ReadonlyMap<string, string>): string {
  const nameStart = body.indexOf(0) + 1
  const lines = [prepared.get(textAt(body, nameStart)) ?? '']
  const formatsStart = body.indexOf(0, nameStart) + 1
  let offset = formatsStart + 2 + 2 * body.readInt16BE(formatsStart)
  const count = body.readInt16BE(offset)
  offset += 2
  for (let value = 0; value < count; value++) {
    const length = body.readInt32BE(offset)
    offset += 4
    lines.push(length < 0 ? 'null' : body.toString('utf8', offset, offset + length))
    offset += Math.max(length, 0)
  }
  return lines.join('\n')
}

/** Parses messages of PostgreSQL's protocol: a type, a length that includes itself, and a body. */
class Messages {
  readonly #onMessage: (type: string, body: Buffer) => void
  #rest: Buffer = Buffer.alloc(0)
  /** The client's first message has no type. */
  #typed: boolean

  constructor(typed: boolean, onMessage: (type: string, body: Buffer) => void) {
    this.#typed = typed
    this.#onMessage = onMessage
  }

  read(chunk: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, chunk])
    for (;;) {
      const start = this.#typed ? 1 : 0
      if (this.#rest.length < start + 4) return
      const end = start + this.#rest.readUInt32BE(start)
      if (this.#rest.length < end) return
      const type = this.#typed ? String.fromCharCode(this.#rest[0] ?? 0) : ''
      const body = this.#rest.subarray(start + 4, end)
      this.#rest = this.#rest.subarray(end)
      this.#typed = true
      this.#onMessage(type, body)
    }
  }
}
