/**
 * `npm run test:security [-- NAME …]`: the long forms of the tests that attack the product, one file after the other.
 * The figures of docs/security.md are what it prints. Each test's small form is part of `npm test`.
 */
import { become } from './become.mjs'
import { ensureBuilt, ensureInstalled, orSay, toolEnvironment, vitest } from './bootstrap.mjs'

/** What runs when no name is given: folders and files, or the beginnings of their paths. */
const SUITES = ['test/security/']
const PATIENCE_MS = 6 * 60 * 60 * 1000

await orSay(async () => {
  await ensureInstalled()
  // What is attacked is the whole product, its pages included.
  await ensureBuilt()
  const given = process.argv.slice(2)
  const patience = [`--testTimeout=${PATIENCE_MS}`, `--hookTimeout=${PATIENCE_MS}`]
  const names = given.length > 0 ? given : SUITES
  become(
    [vitest, 'run', ...names, '--no-file-parallelism', ...patience],
    toolEnvironment({ SECURITY_TESTS: 'long' }),
  )
})
