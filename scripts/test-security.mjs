/**
 * `npm run test:security [-- NAME …]`: the long forms of the tests that attack the product, one file after the other.
 * The figures of docs/security.md are what it prints. Each test's small form is part of `npm test`.
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { ensureBuilt, ensureInstalled, root, StartError, say, toolEnvironment } from './bootstrap.mjs'

/** What runs when no name is given: folders and files, or the beginnings of their paths. */
const SUITES = ['test/security/']
const PATIENCE_MS = 6 * 60 * 60 * 1000

try {
  await ensureInstalled()
  // What is attacked is the whole product, its pages included.
  await ensureBuilt()
  const given = process.argv.slice(2)
  const patience = [`--testTimeout=${PATIENCE_MS}`, `--hookTimeout=${PATIENCE_MS}`]
  const args = ['run', ...(given.length > 0 ? given : SUITES), '--no-file-parallelism', ...patience]
  const child = spawn(join(root, 'node_modules/.bin/vitest'), args, {
    cwd: root,
    env: toolEnvironment({ SECURITY_TESTS: 'long' }),
    stdio: 'inherit',
  })
  child.on('exit', (code) => process.exit(code ?? 1))
} catch (error) {
  if (!(error instanceof StartError)) throw error
  say(error.message)
  process.exitCode = 1
}
