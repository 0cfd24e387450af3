import { Client, type ClientConfig } from 'pg'

const RETRY_MS = 1000
/** This connection sends almost nothing, so without keepalive it would take hours to notice that the other end is gone. */
const TIMEOUTS = { connectionTimeoutMillis: 10_000, keepAlive: true, keepAliveInitialDelayMillis: 10_000 }

interface ListenerOptions {
  readonly connection: ClientConfig
  /** Handlers of notifications by channel. */
  readonly channels: Readonly<Record<string, (payload: string) => void>>
  /** Called after a reconnect: notifications may have been missed. */
  readonly onGap: () => void
  /** Called with what went wrong: the connection is lost, cannot be restored, or a notification cannot be handled. */
  readonly onError: (error: Error, problem: string) => void
}

/** A separate connection that LISTENs, and reconnects when it is lost. */
export class Listener {
  readonly #options: ListenerOptions
  #client: Client | undefined
  #retry: NodeJS.Timeout | undefined
  #closed = false

  constructor(options: ListenerOptions) {
    this.#options = options
  }

  /** Connects. From then on every notification arrives. Throws if it cannot connect. */
  async start(): Promise<void> {
    const client = new Client({ ...TIMEOUTS, ...this.#options.connection })
    client.on('notification', ({ channel, payload = '' }) => this.#handle(channel, payload))
    client.on('error', (error) => this.#lost(client, error))
    client.on('end', () => this.#lost(client))
    try {
      await client.connect()
      for (const channel of Object.keys(this.#options.channels)) {
        await client.query(`LISTEN ${client.escapeIdentifier(channel)}`)
      }
    } catch (error) {
      void client.end().catch(() => undefined)
      throw error
    }
    if (this.#closed) return client.end()
    // If it breaks before this, `start` throws instead.
    this.#client = client
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#retry)
    const client = this.#client
    this.#client = undefined
    await client?.end()
  }

  /** A newer server may send something that this one does not understand, which must not crash it. */
  #handle(channel: string, payload: string): void {
    try {
      this.#options.channels[channel]?.(payload)
    } catch (cause) {
      const problem = `listener cannot handle a notification of ${channel}`
      this.#options.onError(new Error(problem, { cause }), problem)
    }
  }

  #lost(client: Client, error = new Error('The server closed the connection')): void {
    if (this.#closed || this.#client !== client) return
    this.#client = undefined
    this.#options.onError(error, 'listener lost its connection')
    this.#startLater()
  }

  #startLater(): void {
    this.#retry = setTimeout(async () => {
      try {
        await this.start()
        this.#options.onGap()
      } catch (error) {
        const cause = error instanceof Error ? error : new Error(String(error))
        this.#options.onError(cause, 'listener cannot reconnect')
        if (!this.#closed) this.#startLater()
      }
    }, RETRY_MS)
  }
}
