/**
 * `npm run test:faults [-- large] [NAME …] [-t WORDS]`: kills, races, several nodes and broken surroundings, each followed
 * by the checker; `-t` takes those whose title has the words. Small figures by default, those of docs/reliability.md with
 * `large`; FAULTS_SEED repeats a run.
 */
import { become } from './become.mjs'
import { ensureBuilt, ensureInstalled, orSay, StartError, toolEnvironment, vitest } from './bootstrap.mjs'

/** What runs under which name, all of it when none is given. */
const SUITES = {
  kills: ['test/faults/kills'],
  points: ['test/faults/points'],
  nodes: ['test/faults/nodes'],
  races: ['test/faults/races'],
  surroundings: ['test/faults/surroundings'],
  store: ['server/platform/photos/bucket-storage'],
  arrival: ['server/http/arrival', 'server/platform/live'],
  limits: ['server/http/limits'],
  backup: ['test/faults/backup', 'server/operator/backup'],
  upgrades: ['test/faults/upgrades'],
  rotation: ['test/security/rotation'],
}

await orSay(async () => {
  const { names, large, options } = read(process.argv.slice(2))
  await ensureInstalled()
  await ensureBuilt()
  const files = names.flatMap((name) => SUITES[name])
  become(
    [vitest, 'run', ...files, '--no-file-parallelism', ...options],
    toolEnvironment(large ? { FAULTS_SIZE: 'large' } : {}),
  )
})

function read(given) {
  const first = given.findIndex((word) => word.startsWith('-'))
  const [words, options] = first < 0 ? [given, []] : [given.slice(0, first), given.slice(first)]
  const names = words.filter((word) => word !== 'large')
  const unknown = names.find((name) => !Object.hasOwn(SUITES, name))
  if (unknown) throw new StartError(`there is no ${unknown}; there are ${Object.keys(SUITES).join(', ')}`)
  return {
    names: names.length > 0 ? names : Object.keys(SUITES),
    large: words.includes('large'),
    options,
  }
}
