import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { heapFlags, importFlags } from '../scripts/become.mjs'

const ROOT = join(import.meta.dirname, '..')
/** The compile cache of `npm start` and `./unspent admin`, without which a start needs half as much processor time again. */
export const COMPILE_CACHE = { NODE_COMPILE_CACHE: join(import.meta.dirname, '../dist/.compiled') }

/** The server in its own process on a data folder, as an operator starts it. */
export class ServerProcess {
  readonly #child: ChildProcess
  output = ''

  constructor(child: ChildProcess) {
    this.#child = child
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.output += text
      })
    }
  }

  /** Starts it on a free port. Ignores settings in the environment of the tests. @param tree the folder of the source tree */
  static start(settings: Record<string, string>, tree = ROOT): ServerProcess {
    const { PATH, HOME } = process.env
    const env = { PATH, HOME, ...COMPILE_CACHE, PORT: '0', LOG_LEVEL: 'warn', ...settings }
    return new ServerProcess(
      spawn(process.execPath, [...importFlags, ...heapFlags, join(tree, 'server/main.ts')], {
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    )
  }

  /** Its address, once it is ready. Throws with its output if it exits before that. */
  async ready(): Promise<string> {
    for (;;) {
      const url = /is ready: (\S+)/.exec(this.output)?.[1]
      if (url) return url
      if (this.hasEnded) throw new Error(`The server exited: ${this.output}`)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }

  get pid(): number {
    return this.#child.pid ?? 0
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal)
  }

  /** Stops it as an operator does. */
  async end(): Promise<void> {
    this.kill('SIGTERM')
    await this.ended()
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null
  }

  /** Its exit code, or the signal that ended it. */
  async ended(): Promise<number | NodeJS.Signals | null> {
    if (!this.hasEnded) await once(this.#child, 'exit')
    return this.#child.exitCode ?? this.#child.signalCode
  }
}

/** Creates an empty data folder. */
export function newDataDir(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'unspent-test-data-'))
}
