import { resolve } from 'node:path'
import type { Brand } from '#brand/brand.ts'
import type { PasswordHasher } from '#server/context.ts'
import type { Storage } from '#server/platform/config/config-values.ts'
import type { Database } from '#server/platform/database/pool.ts'
import type { KeySource } from '#server/platform/vault/keys.ts'

/** What the actions of `./unspent admin` work with. */
export interface Tools {
  readonly db: Database
  readonly passwords: PasswordHasher
  /** The address of the site, for links. */
  readonly url: string
  readonly source: KeySource
  readonly storage: Storage
  readonly eraseAfterDays: number
  readonly brand: Brand
  readonly say: (line: string) => void
  /** For a command that reads: the lines, or the data with --json. */
  readonly show: (data: unknown, lines: readonly string[]) => void
}

export type Output = Pick<Tools, 'say' | 'show'>

/** Prints to stdout. With --json it prints one JSON value when the command ends, made of all lines if the command has no data. */
export function outputOf(isJson: () => boolean): Output & { readonly end: () => void } {
  const write = (text: string) => void process.stdout.write(`${text}\n`)
  const said: string[] = []
  let shown: unknown
  return {
    say: (line) => void (isJson() ? said.push(line) : write(line)),
    show(data, lines) {
      if (isJson()) shown = data
      else for (const line of lines) write(line)
    },
    end() {
      if (isJson() && (shown !== undefined || said.length > 0))
        write(JSON.stringify(shown ?? { said }, null, 2))
    },
  }
}

/** Runs the action of a command. If it returns false, the program exits with 1. */
export type Run = (action: (tools: Tools) => Promise<unknown>) => Promise<void>

/** A file that the caller names, from the folder in which they called: `./unspent` works in its own. */
export const callersFile = (file: string): string => resolve(process.env.INIT_CWD ?? '', file)
