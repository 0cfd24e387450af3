import { join } from 'node:path'
import { z } from 'zod'
import { roles } from '#domain/roles.ts'
import { OperatorError } from '#server/platform/config/operator-error.ts'
import { readIfExists } from '#server/platform/durable-file.ts'

/** Contents of demo.json, which `npm run demo` adds to its data folder: the demo accounts. */
const demo = z.object({
  seller: z.object({ email: z.string(), password: z.string() }),
  /** The seller whose cards the policy of the demo approves. Same password as `seller`. Missing in a demo of 1.0.0 or earlier. */
  instantSeller: z.object({ email: z.string() }).optional(),
  staff: z.object({ username: z.string(), password: z.string() }),
  /** Same password as `staff`. */
  colleagues: z.array(z.object({ username: z.string(), role: z.enum(roles) })).default([]),
})
export type Demo = z.infer<typeof demo>

export function demoFile(dataDir: string): string {
  return join(dataDir, 'demo.json')
}

/**
 * Reads the demo accounts of a data folder. Undefined if it does not exist or holds real data.
 *
 * @throws {OperatorError} when the file is damaged or cannot be read.
 */
export async function readDemo(dataDir: string): Promise<Demo | undefined> {
  try {
    const written = await readIfExists(demoFile(dataDir))
    return written && demo.parse(JSON.parse(written.toString()))
  } catch {
    throw new OperatorError(
      `${demoFile(dataDir)} cannot be read: create a new demo with npm run demo -- --fresh`,
    )
  }
}

/** What the server prints at the start of a demo. */
export function demoLines({ seller, instantSeller, staff, colleagues }: Demo, url: string): string[] {
  return [
    'This is a demo. The people and cards are made up, and nothing is paid.',
    `Seller: ${seller.email}, password ${seller.password}, sign in at ${url}/login`,
    ...(instantSeller
      ? [`A seller whose Starbucks cards a policy approves: ${instantSeller.email}, with the same password`]
      : []),
    `Staff: ${staff.username}, password ${staff.password}, sign in at ${url}/admin/login`,
    ...colleagues.map(
      ({ username, role }) => `A ${role}: ${username}, with the same password as ${staff.username}`,
    ),
    ...colleagues
      .filter(({ role }) => role === 'payer')
      .map(
        ({ username }) =>
          `To pay sellers, sign in as ${username} and freeze a batch at ${url}/admin/payouts. Then sign in as ${staff.username} and release it. If it needs two approvals, a third person releases it.`,
      ),
  ]
}
