import { setTimeout } from 'node:timers/promises'
import { memoryOf } from '#test/processes.ts'
import type { ServerProcess } from '#test/server-process.ts'

/** Memory of a server after collecting all garbage, in MB. Start the server with `settle.ts`. */
export async function keptMb(server: ServerProcess): Promise<number> {
  const from = server.output.length
  server.kill('SIGUSR2')
  for (;;) {
    if (/^settled \{.*\}$/m.test(server.output.slice(from))) return memoryOf(server.pid)
    await setTimeout(20)
  }
}
