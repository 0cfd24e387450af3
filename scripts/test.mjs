/**
 * `npm test [-- unit | api | browser]`: installs what is missing, runs the checks and tests one after the other and
 * ends with the line `N passed, N failed`. A check counts as one test, and so does a part that breaks down.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { aptInstall, has } from './apt.mjs'
import { ensureInstalled, recordBuild, root, StartError, say, toolEnvironment } from './bootstrap.mjs'
import { startExternalPostgres } from './external-postgres.mjs'
import { readPlaywright, readVitest } from './test-reports.mjs'

const results = mkdtempSync(join(tmpdir(), 'unspent-results-'))
let passed = 0
/** Each by its name and why, so that they stand once more where a reader of the end finds them. */
const failures = []
/** Ended on Ctrl+C, so that what they started is taken down. */
let current
let files = 0
/** Whether the web app could be built, once that was tried. */
let built

/** Every file of these loads the same server: in one process it is loaded once, for half of the processor time. */
const SHARED = ['--no-isolate']

const parts = {
  unit: async () => {
    await check('types', 'tsc', ['-p', '.'])
    await check('lint and format', 'biome', ['check'])
    // Some of them start the whole product, and it serves what is built.
    await webBuild()
    await vitest('unit tests', ['domain', 'contract', 'web', 'scripts', 'test', 'bench'])
  },
  api: async () => {
    await vitest('server tests', ['server'], { args: SHARED })
    await onExternalPostgres()
  },
  browser: async () => {
    if (await webBuild()) await browserTests()
  },
}

process.on('exit', () => rmSync(results, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => interrupt(signal))

try {
  const chosen = choose(process.argv.slice(2))
  await ensureInstalled()
  for (const name of chosen) await parts[name]().catch((error) => broken(name, error))
} catch (error) {
  broken('start', error)
}
summarize()
process.exit(failures.length > 0 || passed === 0 ? 1 : 0)

function choose(names) {
  const unknown = names.find((name) => !(name in parts))
  if (unknown) throw new StartError(`there is no part ${unknown}; there are ${Object.keys(parts).join(', ')}`)
  return Object.keys(parts).filter((name) => names.length === 0 || names.includes(name))
}

async function check(title, program, args) {
  const fine = (await run(title, program, args)) === 0
  count(fine ? { passed: 1, failures: [] } : { passed: 0, failures: [{ name: title, why: '' }] })
  return fine
}

/** Once, however many parts need it. */
function webBuild() {
  built ??= check('web build', 'npm', ['run', 'build']).then((passed) => {
    if (passed) recordBuild()
    return passed
  })
  return built
}

async function vitest(title, folders, { env, args = [] } = {}) {
  const file = resultFile()
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  const filters = folders.map((folder) => `${folder}/`)
  const code = await run(
    title,
    'vitest',
    ['run', ...filters, ...reporters, '--passWithNoTests', ...args],
    env,
  )
  countRun(title, code, file, readVitest)
}

/** Once more on the PostgreSQL that an operator may bring. The embedded one has no business there. */
async function onExternalPostgres() {
  const given = process.env.TEST_DATABASE_URL
  const postgres = given
    ? { url: given, version: 'of TEST_DATABASE_URL', stop: () => {} }
    : await startExternalPostgres()
  if (postgres.missing)
    return say(`\nLeft out: the server tests on an external PostgreSQL (${postgres.missing}).`)
  try {
    await vitest(`server tests on PostgreSQL ${postgres.version}`, ['server'], {
      env: { TEST_DATABASE_URL: postgres.url },
      args: [
        ...SHARED,
        ...[
          'server/platform/database/embedded.test.ts',
          'server/platform/database/embedded/**',
          'server/operator/backup/backup.test.ts',
        ].flatMap((file) => ['--exclude', file]),
      ],
    })
  } finally {
    postgres.stop()
  }
}

async function browserTests() {
  const chromium = await findChromium()
  const file = resultFile()
  const env = { PLAYWRIGHT_JSON_OUTPUT_FILE: file, ...(chromium && { CHROMIUM_PATH: chromium }) }
  const code = await run('browser tests', 'playwright', ['test', '--reporter=list,json'], env)
  countRun('browser tests', code, file, readPlaywright)
}

/** The path of an installed one; undefined when Playwright has fetched its own. */
async function findChromium() {
  const known = () =>
    ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync)
  const found = process.env.CHROMIUM_PATH || known()
  if (found) return found
  if ((await aptInstall('chromium')) && known()) return known()
  await run('fetching a browser', 'playwright', ['install', 'chromium'])
  return undefined
}

function countRun(title, code, file, read) {
  const report = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
  const counted = report ? read(report) : { passed: 0, failures: [] }
  if (code !== 0 && counted.failures.length === 0) broken(title, new Error(`it ended with ${code}`))
  count(counted)
}

function count(part) {
  passed += part.passed
  failures.push(...part.failures)
}

function broken(title, error) {
  const why = error instanceof StartError ? error.message : (error.stack ?? String(error))
  say(`\n${title} broke down: ${why}`)
  failures.push({ name: `${title} broke down`, why })
}

function summarize() {
  for (const { name, why } of failures) say(`\n✘ ${name}\n${why}`)
  say(`${passed} passed, ${failures.length} failed`)
}

function run(title, program, args, env = {}) {
  say(`\n— ${title}`)
  return new Promise((resolve) => {
    const tool = join(root, 'node_modules/.bin', program)
    current = spawn(existsSync(tool) || has(program) ? program : tool, args, {
      cwd: root,
      env: toolEnvironment(env),
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    current.on('error', (error) => resolve(error.message))
    current.on('exit', (code, signal) => resolve(code ?? signal))
  })
}

function resultFile() {
  return join(results, `${files++}.json`)
}

function interrupt(signal) {
  current?.kill(signal)
  failures.push({ name: `ended by ${signal}`, why: '' })
  summarize()
  process.exit(130)
}
