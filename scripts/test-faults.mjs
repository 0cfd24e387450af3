/**
 * `npm run test:faults [-- large] [NAME] [-t WORDS]`: kills, races, several nodes and broken surroundings, each followed
 * by the checker; `-t` takes those whose title has the words. Small figures by default, those of docs/reliability.md with
 * `large`; FAULTS_SEED repeats a run.
 */
import { spawn } from 'node:child_process'
import { ensureBuilt, ensureInstalled, toolEnvironment } from './bootstrap.mjs'

const given = process.argv.slice(2)
const options = given.findIndex((word) => word.startsWith('-'))
const words = options < 0 ? given : given.slice(0, options)
const large = words.includes('large')
await ensureInstalled()
await ensureBuilt()
const files = words.filter((word) => word !== 'large').map((word) => `test/faults/${word}`)
const child = spawn(
  'vitest',
  ['run', ...(files.length > 0 ? files : ['test/faults/']), ...given.slice(words.length)],
  {
    env: toolEnvironment(large ? { FAULTS_SIZE: 'large' } : {}),
    stdio: 'inherit',
  },
)
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
child.on('exit', (code) => process.exit(code ?? 1))
