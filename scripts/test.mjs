/**
 * `npm test [-- unit | api | browser]`: installs what is missing, runs checks and tests one after another and ends with
 * the line `N passed, N failed`. A check counts as one test, and so does a part that crashes.
 */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import {
  ensureInstalled,
  recordBuild,
  root,
  runQuietly,
  StartError,
  say,
  toolEnvironment,
} from './bootstrap.mjs'
import { startExternalPostgres } from './external-postgres.mjs'

const results = mkdtempSync(join(tmpdir(), 'unspent-results-'))
let passed = 0
/** Repeated at the end, because a run prints ten minutes of output. */
const failures = []
/** Tests that passed only when they ran again: each hides a fault of the test or of the product. */
const unsteady = []
/** The program that runs now. */
let current
let files = 0
/** Whether the web app could be built. Undefined until that was tried. */
let built

/** For files that load the same modules. In one process these are loaded once, which halves the processor time. */
const SHARED = ['--no-isolate']

/**
 * Server tests that run on the embedded PostgreSQL: they test it, or they run no SQL of the product. All others run on an external
 * one, the oldest that operators may use. Tests of the whole product use the embedded one.
 */
const EMBEDDED = [
  ...['server/main', 'server/http/arrival', 'server/http/connections', 'server/http/http'],
  ...['server/operator/program', 'server/operator/backup', 'server/platform/mail', 'server/platform/photos'],
  'server/platform/database/embedded',
]

const parts = {
  unit: async () => {
    await check('types', 'tsc', ['-p', '.'])
    await check('lint and format', 'biome', ['check'])
    // Some unit tests start the whole product with its pages.
    await webBuild()
    const foldersOf = (names) => names.map((name) => `${name}/`)
    await vitest('unit tests', foldersOf(['words', 'brand', 'domain', 'contract', 'web']), { args: SHARED })
    await vitest('tests of the whole product', foldersOf(['scripts', 'test', 'bench']))
  },
  api: serverTests,
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
  if (unknown)
    throw new StartError(`there is no part ${unknown}; choose from ${Object.keys(parts).join(', ')}`)
  return Object.keys(parts).filter((name) => names.length === 0 || names.includes(name))
}

async function check(title, program, args) {
  const succeeded = (await run(title, program, args)) === 0
  count(succeeded ? { passed: 1, failures: [] } : { passed: 0, failures: [{ name: title, why: '' }] })
  return succeeded
}

function webBuild() {
  built ??= check('web build', 'npm', ['run', 'build']).then((succeeded) => {
    if (succeeded) recordBuild()
    return succeeded
  })
  return built
}

async function vitest(title, paths, { env, args = [] } = {}) {
  const file = resultFile()
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  const all = ['run', ...paths, ...reporters, '--passWithNoTests', ...args]
  countRun(title, await run(title, 'vitest', all, env), file, readVitest)
}

/** On an external PostgreSQL too: TEST_DATABASE_URL, or one installed on this machine. */
async function serverTests() {
  const given = process.env.TEST_DATABASE_URL
  const postgres = given
    ? { url: given, version: 'of TEST_DATABASE_URL', stop: () => {} }
    : (startExternalPostgres() ?? ((await aptInstall('postgresql')) && startExternalPostgres()))
  if (!postgres) {
    say('\nLeft out: an external PostgreSQL. None is installed, and only root can install one.')
    return vitest('server tests', ['server/'], { args: SHARED })
  }
  try {
    const others = EMBEDDED.flatMap((path) => ['--exclude', `${path}*`, '--exclude', `${path}*/**`])
    await vitest(`server tests on PostgreSQL ${postgres.version}`, ['server/'], {
      env: { TEST_DATABASE_URL: postgres.url },
      args: [...SHARED, ...others],
    })
  } finally {
    postgres.stop()
  }
  await vitest('server tests on the embedded PostgreSQL', EMBEDDED, {
    env: { TEST_DATABASE_URL: '' },
    args: SHARED,
  })
}

async function browserTests() {
  const chromium = await findChromium()
  const file = resultFile()
  const env = { PLAYWRIGHT_JSON_OUTPUT_FILE: file, ...(chromium && { CHROMIUM_PATH: chromium }) }
  const code = await run('browser tests', 'playwright', ['test', '--reporter=list,json'], env)
  countRun('browser tests', code, file, readPlaywright)
}

/**
 * Returns the path of an installed browser, or undefined if Playwright downloaded its own. The headless shell is Chromium
 * without windows; the tests need a fifth less of the processor with it. Notifications need the whole of Chromium.
 */
async function findChromium() {
  const [shell, full] = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']
  const known = () => [shell, full, '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync)
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH
  if (!existsSync(shell)) await aptInstall('chromium-headless-shell')
  const hasFull = existsSync(full) || (await aptInstall('chromium'))
  if (!hasFull) await run('downloading a browser', 'playwright', ['install', 'chromium'])
  return known()
}

/** Installs a Debian package if we may. Returns whether it did. */
async function aptInstall(name) {
  if (process.geteuid?.() !== 0 || !isOnPath('apt-get')) return false
  say(`Installing ${name} …`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const install = () => runQuietly('apt-get', ['install', '-y', '--no-install-recommends', name], env)
  if ((await install()).status === 0) return true
  await runQuietly('apt-get', ['update'], env)
  return (await install()).status === 0
}

function isOnPath(program) {
  return spawnSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' }).status === 0
}

function run(title, program, args, env = {}) {
  say(`\n— ${title}`)
  return new Promise((resolve) => {
    const tool = join(root, 'node_modules/.bin', program)
    current = spawn(existsSync(tool) || isOnPath(program) ? program : tool, args, {
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

function countRun(title, code, file, read) {
  const report = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
  const counted = report ? read(report) : { passed: 0, failures: [] }
  if (code !== 0 && counted.failures.length === 0) broken(title, new Error(`it ended with ${code}`))
  count(counted)
}

function readVitest(report) {
  const failed = report.testResults.flatMap((file) => {
    const name = relative(root, file.name)
    // A file that could not be loaded has no tests to count.
    if (file.status === 'failed' && file.assertionResults.length === 0) return [failure(name, file.message)]
    return file.assertionResults
      .filter(({ status }) => status === 'failed')
      .map((test) => failure(`${name} › ${test.fullName}`, test.failureMessages.join('\n')))
  })
  return { passed: report.numPassedTests, failures: failed }
}

function readPlaywright({ suites, stats, errors }) {
  const specs = suites.flatMap(specsOf)
  const describe = ({ file, line, title, tests }) => {
    const failed = tests.flatMap(({ results }) => results).find(({ errors }) => errors.length > 0)
    return { ...failure(`${file}:${line} › ${title}`, failed?.errors[0].message), screen: screenOf(failed) }
  }
  const failed = specs.filter(({ ok }) => !ok).map(describe)
  unsteady.push(...specs.filter(({ tests }) => tests.some(({ status }) => status === 'flaky')).map(describe))
  const outside = errors.map(({ message }) => failure('outside of the tests', message))
  return { passed: stats.expected + stats.flaky, failures: [...failed, ...outside] }
}

/** What the failed page's main part showed, as Playwright describes it: a busy machine's failure may not happen again. */
function screenOf(result) {
  const { path } = result?.attachments.find(({ name }) => name === 'error-context') ?? {}
  const [, page = ''] = path ? readFileSync(path, 'utf8').split('```yaml\n') : []
  const main = page.slice(Math.max(page.indexOf('- main'), 0)).split('```')[0]
  const lines = main.split('\n').filter((line) => !/^ *- (option|\/url)/.test(line))
  return lines.slice(0, 100).join('\n')
}

function specsOf({ specs = [], suites = [] }) {
  return [...specs, ...suites.flatMap(specsOf)]
}

/** Keeps the first twelve lines of why. */
function failure(name, why = '') {
  const lines = why.split('\n').filter((line) => !line.includes('node_modules'))
  return { name, why: lines.slice(0, 12).join('\n') }
}

function count(part) {
  passed += part.passed
  failures.push(...part.failures)
}

function broken(title, error) {
  const why = error instanceof StartError ? error.message : (error.stack ?? String(error))
  say(`\n${title} crashed: ${why}`)
  failures.push({ name: `${title} crashed`, why })
}

function summarize() {
  const tell = (title, { name, why, screen = '' }) => say(`\n${title} ${name}\n${why}\n${screen}`)
  for (const one of unsteady) tell('△ passed only the second time:', one)
  for (const one of failures) tell('✘', one)
  say(`${passed} passed, ${failures.length} failed`)
}

/** Ends the running program too, so that it can clean up. */
function interrupt(signal) {
  current?.kill(signal)
  failures.push({ name: `interrupted by ${signal}`, why: '' })
  summarize()
  process.exit(130)
}
