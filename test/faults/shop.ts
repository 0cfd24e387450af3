import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import { ADMIN_PASSWORD } from '#test/people.ts'
import { ServerProcess } from '#test/server-process.ts'

const STARTS = 3

/** One or more servers behind one address. Each can be killed and started again. */
export class Shop {
  readonly #settings: Record<string, string>
  readonly #ofNode: (node: number) => Record<string, string>
  readonly #proxy: Server
  readonly url: string
  /** Undefined for a node that is not running. */
  readonly nodes: (ServerProcess | undefined)[]
  #urls: (string | undefined)[]
  #turn = 0
  /** Output of the processes that have ended. */
  #output = ''

  private constructor(
    proxy: Server,
    nodes: number,
    settings: Record<string, string>,
    ofNode: (node: number) => Record<string, string>,
  ) {
    this.#ofNode = ofNode
    this.#proxy = proxy
    this.url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
    this.nodes = Array.from({ length: nodes })
    this.#urls = Array.from({ length: nodes })
    this.#settings = { ADMIN_PASSWORD, RATE_LIMITS: 'off', PUBLIC_URL: this.url, ...settings }
  }

  /** @param ofNode more settings for a node */
  static async open(
    settings: Record<string, string>,
    nodes = 1,
    ofNode: (node: number) => Record<string, string> = () => ({}),
  ): Promise<Shop> {
    const proxy = createServer((incoming, answer) => {
      const target = shop.#next()
      if (!target) return void incoming.socket.destroy()
      const onward = request(
        new URL(incoming.url ?? '/', target),
        { method: incoming.method, headers: incoming.headers },
        (response) => {
          answer.writeHead(response.statusCode ?? 502, response.headers)
          response.on('error', () => answer.destroy())
          response.on('aborted', () => answer.destroy())
          response.pipe(answer)
        },
      )
      onward.on('error', () => answer.destroy())
      incoming.on('error', () => onward.destroy())
      incoming.pipe(onward)
    })
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    const shop: Shop = new Shop(proxy, nodes, settings, ofNode)
    for (let node = 0; node < nodes; node++) await shop.start(node)
    return shop
  }

  /** Starts a node and waits until it is ready. If it ends before that, starts it again, as systemd would. */
  async start(node = 0, { tries = STARTS } = {}): Promise<void> {
    for (let left = tries - 1; ; left--) {
      try {
        return await this.#startOnce(node)
      } catch (error) {
        if (left === 0) throw error
      }
    }
  }

  async #startOnce(node: number): Promise<void> {
    const { PORT: port = String(await freePort()) } = this.#ofNode(node)
    const server = ServerProcess.start({ ...this.#settings, ...this.#ofNode(node), PORT: port })
    this.nodes[node] = server
    await server.ready()
    this.#urls[node] = `http://127.0.0.1:${port}`
  }

  /** Kills a node with SIGKILL. */
  async kill(node = 0): Promise<void> {
    await this.#end(node, 'SIGKILL')
  }

  /** Stops a node with SIGTERM and waits until it has ended. */
  async stop(node = 0): Promise<void> {
    await this.#end(node, 'SIGTERM')
  }

  async close(): Promise<void> {
    for (const node of this.nodes.keys()) await this.stop(node)
    this.#proxy.closeAllConnections()
    this.#proxy.close()
  }

  /** Output of all processes. */
  get output(): string {
    return this.#output + this.nodes.map((server) => server?.output ?? '').join('')
  }

  /** Whether a node has ended without being stopped. */
  hasEnded(node = 0): boolean {
    return this.nodes[node]?.hasEnded ?? false
  }

  /** Own address of a node. */
  addressOf(node: number): string {
    return this.#urls[node] ?? ''
  }

  async #end(node: number, signal: NodeJS.Signals): Promise<void> {
    const server = this.nodes[node]
    this.nodes[node] = undefined
    this.#urls[node] = undefined
    server?.kill(signal)
    await server?.ended()
    this.#output += server?.output ?? ''
  }

  #next(): string | undefined {
    const up = this.#urls.filter((url) => url !== undefined)
    this.#turn += 1
    return up[this.#turn % Math.max(up.length, 1)]
  }
}

/** A server prints its public address, not its port, so the port is chosen beforehand. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Waits for a condition. The test's timeout ends it if that never comes. */
export async function until(condition: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await condition())) await sleep(25)
}

/** Makes unfinished jobs due again: failed attempts, and leases of killed workers. Skips a job that a worker has locked. */
export async function makeJobsDue(pool: Pool): Promise<void> {
  await pool.query(`
    UPDATE jobs SET run_at = now() WHERE id IN (
      SELECT id FROM jobs WHERE done_at IS NULL AND failed_at IS NULL AND attempts > 0 FOR UPDATE SKIP LOCKED
    )`)
}
