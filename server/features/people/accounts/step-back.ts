import { readdirSync, readFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'

/**
 * Lets the threads that hash step back for everybody else: the one that answers requests, and PostgreSQL. They are
 * libuv's, made all at once by its first work, and do other things that may wait, too: files and names of hosts.
 *
 * Linux gives each thread a priority of its own, under its own id. Elsewhere, and where it is forbidden, they stay as
 * they are: a request then waits for its turn on a core a little longer while many sign in.
 */
export function letHashingStepBack(): void {
  try {
    for (const thread of readdirSync('/proc/self/task')) {
      const name = readFileSync(`/proc/self/task/${thread}/comm`, 'utf8').trim()
      if (name === 'libuv-worker') setPriority(Number(thread), constants.priority.PRIORITY_BELOW_NORMAL)
    }
  } catch {}
}
