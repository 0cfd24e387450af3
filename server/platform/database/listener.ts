import { Client, type ClientConfig } from 'pg'

const RETRY_MS = 1000
/**
 * This connection hears and hardly ever says anything: by itself it would not notice for hours that the other end is
 * gone, nor ever give up waiting for one that takes the call and keeps silent.
 */
const PATIENCE = { connectionTimeoutMillis: 10_000, keepAlive: true, keepAliveInitialDelayMillis: 10_000 }

export interface ListenerOptions {
  readonly connection: ClientConfig
  /** What to do with a notification of each channel. */
  readonly channels: Readonly<Record<string, (payload: string) => void>>
  /** The connection was lost for a while: notifications may have been missed. */
  readonly onGap: () => void
  /** Told of a connection that was lost or does not come back, and of what was heard and not understood. */
  readonly onError: (error: Error) => void
}

/** A connection of its own that LISTENs, and comes back when it is lost. */
export class Listener {
  readonly #options: ListenerOptions
  #client: Client | undefined
  #retry: NodeJS.Timeout | undefined
  #closed = false

  constructor(options: ListenerOptions) {
    this.#options = options
  }

  /** Connects; from then on every notification arrives. Throws when the first connection fails. */
  async start(): Promise<void> {
    const client = new Client({ ...PATIENCE, ...this.#options.connection })
    client.on('notification', ({ channel, payload = '' }) => this.#hear(channel, payload))
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
    // Only what listens can be lost: of one that breaks before that, whoever starts it hears here.
    this.#client = client
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#retry)
    const client = this.#client
    this.#client = undefined
    await client?.end()
  }

  /** What a newer server tells may mean nothing to this one, and must not end it. */
  #hear(channel: string, payload: string): void {
    try {
      this.#options.channels[channel]?.(payload)
    } catch (cause) {
      this.#options.onError(new Error(`A notification of ${channel} means nothing here`, { cause }))
    }
  }

  #lost(client: Client, error?: Error): void {
    if (this.#closed || this.#client !== client) return
    this.#client = undefined
    if (error) this.#options.onError(error)
    this.#startLater()
  }

  #startLater(): void {
    this.#retry = setTimeout(async () => {
      try {
        await this.start()
        this.#options.onGap()
      } catch (error) {
        this.#options.onError(error instanceof Error ? error : new Error(String(error)))
        if (!this.#closed) this.#startLater()
      }
    }, RETRY_MS)
  }
}
