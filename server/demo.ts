import { join } from 'node:path'
import { z } from 'zod'
import { OperatorError } from '#server/platform/config/operator-error.ts'
import { readIfThere } from '#server/platform/durable-file.ts'

/** What a data folder holds that `npm run demo` has made, beside the data: who may sign in to look around. */
const demo = z.object({
  seller: z.object({ email: z.string(), password: z.string() }),
  staff: z.object({ username: z.string(), password: z.string() }),
})
export type Demo = z.infer<typeof demo>

export function demoFileIn(dataDir: string): string {
  return join(dataDir, 'demo.json')
}

/**
 * What a folder says of its demo; undefined for a folder of real data, and for one that is not there.
 *
 * @throws {OperatorError} when that file is damaged or closed.
 */
export async function readDemo(dataDir: string): Promise<Demo | undefined> {
  try {
    const written = await readIfThere(demoFileIn(dataDir))
    return written && demo.parse(JSON.parse(written.toString()))
  } catch {
    throw new OperatorError(
      `${demoFileIn(dataDir)} cannot be read: make the demo anew with npm run demo -- --fresh`,
    )
  }
}

/** What the operator is told of a demo. */
export function demoLines({ seller, staff }: Demo, url: string): string[] {
  return [
    'This is a demo: the people are invented, the cards are drawn, nothing is paid.',
    `Seller: ${seller.email}, password ${seller.password}, sign in at ${url}/login`,
    `Staff: ${staff.username}, password ${staff.password}, sign in at ${url}/admin/login`,
  ]
}
