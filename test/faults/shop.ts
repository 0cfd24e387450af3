import { createServer as createLine, type Server as Line, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { ADMIN_PASSWORD } from '#test/people.ts'
import { ServerProcess } from '#test/server-process.ts'

const STARTS = 3

/** Servers behind one address, of which each can be killed and started again. */
export class Shop {
  readonly #settings: Record<string, string>
  readonly #ofNode: (node: number) => Record<string, string>
  readonly #line: Line
  readonly url: string
  /** Undefined where none runs at present. */
  readonly nodes: (ServerProcess | undefined)[]
  #urls: (string | undefined)[]
  #turn = 0
  /** What those have said that have ended. */
  #said = ''

  private constructor(
    line: Line,
    nodes: number,
    settings: Record<string, string>,
    ofNode: (node: number) => Record<string, string>,
  ) {
    this.#ofNode = ofNode
    this.#line = line
    this.url = `http://127.0.0.1:${(line.address() as AddressInfo).port}`
    this.nodes = Array.from({ length: nodes })
    this.#urls = Array.from({ length: nodes })
    this.#settings = { ADMIN_PASSWORD, RATE_LIMITS: 'off', PUBLIC_URL: this.url, ...settings }
  }

  /** @param ofNode what one of them is told beyond that */
  static async open(
    settings: Record<string, string>,
    nodes = 1,
    ofNode: (node: number) => Record<string, string> = () => ({}),
  ): Promise<Shop> {
    const line = createLine((incoming, answer) => {
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
    await new Promise<void>((resolve) => line.listen(0, '127.0.0.1', resolve))
    const shop: Shop = new Shop(line, nodes, settings, ofNode)
    for (let node = 0; node < nodes; node++) await shop.start(node)
    return shop
  }

  /** Starts a node and waits until it is ready; one that ends before that is started again, as systemd would. */
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
    const port = await freePort()
    const server = ServerProcess.start({ ...this.#settings, ...this.#ofNode(node), PORT: String(port) })
    this.nodes[node] = server
    await server.ready()
    this.#urls[node] = `http://127.0.0.1:${port}`
  }

  /** Ends a node at once, in the middle of whatever it does. */
  async kill(node = 0): Promise<void> {
    await this.#end(node, 'SIGKILL')
  }

  /** Asks a node to end, and waits until it has. */
  async stop(node = 0): Promise<void> {
    await this.#end(node, 'SIGTERM')
  }

  async close(): Promise<void> {
    for (const node of this.nodes.keys()) await this.stop(node)
    this.#line.closeAllConnections()
    this.#line.close()
  }

  /** Everything that any of them has said. */
  get output(): string {
    return this.#said + this.nodes.map((server) => server?.output ?? '').join('')
  }

  /** Whether a node has ended by itself. */
  hasEnded(node = 0): boolean {
    return this.nodes[node]?.hasEnded ?? false
  }

  /** Where one node listens itself. */
  addressOf(node: number): string {
    return this.#urls[node] ?? ''
  }

  async #end(node: number, signal: NodeJS.Signals): Promise<void> {
    const server = this.nodes[node]
    this.nodes[node] = undefined
    this.#urls[node] = undefined
    server?.kill(signal)
    await server?.ended()
    this.#said += server?.output ?? ''
  }

  #next(): string | undefined {
    const up = this.#urls.filter((url) => url !== undefined)
    this.#turn += 1
    return up[this.#turn % Math.max(up.length, 1)]
  }
}

/** What a server says of itself is its public address: where it listens is chosen beforehand. */
async function freePort(): Promise<number> {
  const server = createLine()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Waits until something is so; what never comes is ended by the time limit of the test. */
export async function until(is: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await is())) await sleep(25)
}
