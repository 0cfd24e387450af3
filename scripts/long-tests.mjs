/**
 * The long tests, one file after another. `npm test` runs each of them in a small form.
 *
 * `npm run test:faults [-- large] [NAME …] [-t WORDS]`: kills, races, several nodes and broken surroundings. Small
 * numbers by default, those of docs/reliability.md with `large`. FAULTS_SEED repeats a run.
 *
 * `npm run test:security [-- PATH …]`: attacks on the whole product, with the numbers of docs/security.md.
 */
import { become } from './become.mjs'
import { ensureBuilt, ensureInstalled, main, StartError, toolEnvironment, vitest } from './bootstrap.mjs'

const faults = {
  kills: ['test/faults/kills'],
  points: ['test/faults/points'],
  nodes: ['test/faults/nodes', 'test/faults/failover'],
  proxy: ['test/faults/proxy'],
  races: ['test/faults/races'],
  books: ['test/faults/books'],
  instant: ['test/faults/instant'],
  'payout-kills': ['test/faults/payout-kills'],
  surroundings: ['test/faults/surroundings'],
  store: ['server/platform/photos/bucket-storage'],
  arrival: ['server/http/arrival', 'server/platform/live'],
  limits: ['server/http/limits'],
  backup: ['test/faults/backup', 'server/operator/backup'],
  upgrades: ['test/faults/upgrades'],
  'old-trees': ['test/faults/old-trees'],
  rotation: ['test/security/rotation'],
}
const SIX_HOURS_MS = 6 * 60 * 60 * 1000

await main(async () => {
  const [kind, ...given] = process.argv.slice(2)
  const { args, environment } = kind === 'faults' ? faultTests(given) : securityTests(given)
  await ensureInstalled()
  await ensureBuilt()
  become([vitest, 'run', '--no-file-parallelism', ...args], toolEnvironment(environment))
})

function faultTests(given) {
  const firstOption = given.findIndex((word) => word.startsWith('-'))
  const words = firstOption < 0 ? given : given.slice(0, firstOption)
  const names = words.filter((word) => word !== 'large')
  const unknown = names.find((name) => !Object.hasOwn(faults, name))
  if (unknown) throw new StartError(`there is no ${unknown}; choose from ${Object.keys(faults).join(', ')}`)
  const files = (names.length > 0 ? names : Object.keys(faults)).flatMap((name) => faults[name])
  return {
    args: [...files, ...given.slice(words.length)],
    environment: words.includes('large') ? { FAULTS_SIZE: 'large' } : {},
  }
}

function securityTests(paths) {
  const timeouts = [`--testTimeout=${SIX_HOURS_MS}`, `--hookTimeout=${SIX_HOURS_MS}`]
  return {
    args: [...(paths.length > 0 ? paths : ['test/security/']), ...timeouts],
    environment: { SECURITY_TESTS: 'long' },
  }
}
