/** Gets a fresh clone ready to run. Plain JavaScript for Node 18 and newer, because nothing is installed yet. */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { withLock } from './lock.mjs'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))
const modules = join(root, 'node_modules')
export const vitest = join(modules, 'vitest/vitest.mjs')
/** A release has the built app instead of its sources, and only the packages that the server needs. */
const isRelease = !existsSync(join(root, 'web'))
const buildStamp = join(root, 'dist/web/.stamp')
const webSources = [
  'web',
  'brand',
  'words',
  'contract',
  'domain',
  'vite.config.ts',
  'tsconfig.json',
  'package-lock.json',
]
/** Settings that become part of the pages. */
const webSettings = ['PRODUCT_NAME', 'BRAND_DIR', 'SUPPORT_EMAIL', 'SUPPORT_PHONE', 'SUPPORT_HOURS']

/** An error whose message tells the operator what to do. */
export class StartError extends Error {}

export function say(line) {
  process.stdout.write(`${line}\n`)
}

/** Runs a script. Prints the message of a `StartError` without its stack. */
export async function main(work) {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    if (error.message) say(error.message)
    process.exitCode = 1
  }
}

/** Installs the packages of package-lock.json unless they are there. */
export async function ensureInstalled() {
  if (isRelease || isInstalled()) return
  await exclusively('installing', async () => {
    if (isInstalled()) return
    say('Installing packages, which takes about a minute …')
    const { status, output } = await runQuietly(...npm('ci', '--include=dev', '--include=optional'))
    if (status !== 0) throw new StartError(`npm ci failed:\n${output.trim()}`)
  })
}

/** Compares the lock file with npm's own list of what it installed. npm skips optional packages of other platforms. */
function isInstalled() {
  const wanted = packagesOf(join(root, 'package-lock.json'))
  const found = packagesOf(join(modules, '.package-lock.json'))
  return Object.entries(wanted).every(([path, { version, optional }]) =>
    found[path] ? found[path].version === version : path === '' || optional,
  )
}

function packagesOf(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).packages : {}
}

/** Builds the web app unless it was built from the current sources and settings. A release cannot. */
export async function ensureBuilt() {
  if (isBuilt()) return
  if (isRelease) {
    const names = webSettings.join(', ')
    throw new StartError(
      `This release was made with other values of ${names}, which are part of its pages. Make one with the same values: npm run release`,
    )
  }
  await exclusively('building', async () => {
    if (isBuilt()) return
    say('Building the web app …')
    const { status, output } = await runQuietly(...npm('run', '--silent', 'build'))
    if (status !== 0) throw new StartError(`the web app could not be built:\n${output.trim()}`)
    recordBuild()
  })
}

export function recordBuild() {
  writeFileSync(buildStamp, `${brandHash()} ${webHash()}`)
}

function isBuilt() {
  const [brand, web] = existsSync(buildStamp) ? readFileSync(buildStamp, 'utf8').split(' ') : []
  return brand === brandHash() && (isRelease || web === webHash())
}

/** Changes with every source that the pages are built from. */
export function webHash() {
  return hashOf(webSources.map((name) => join(root, name)))
}

/** Changes with the settings that are part of the pages, and with the files of the brand. */
export function brandHash() {
  const brand = process.env.BRAND_DIR?.trim()
  const values = webSettings.map((name) => (name === 'BRAND_DIR' ? '' : (process.env[name] ?? '')))
  return hashOf(brand ? [resolve(root, brand)] : [], values.join('\n'))
}

function hashOf(folders, text = '') {
  const hash = createHash('sha256').update(text)
  for (const folder of folders) {
    for (const file of filesAt(folder)) {
      hash.update(`${relative(folder, file).split(sep).join('/')}\0`)
      hash.update(createHash('sha256').update(readFileSync(file)).digest())
    }
  }
  return hash.digest('hex')
}

function filesAt(path) {
  if (!existsSync(path) || /\.test\.tsx?$/.test(path)) return []
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesAt(join(path, name)))
}

/** Lets two starts on one clone wait for each other. */
function exclusively(doing, work) {
  const onWait = () => say(`Waiting for another process that is ${doing} …`)
  return withLock(join(root, 'dist', `.${doing}`), onWait, work)
}

/** The Node installed with the packages, or this one if it is new enough. */
export function nodePath() {
  const own = join(modules, `node-${process.platform}-${process.arch}`, 'bin', 'node')
  if (existsSync(own)) return own
  if (Number.parseInt(process.versions.node, 10) >= 24) return process.execPath
  throw new StartError(`${process.platform}-${process.arch} needs Node 24, and this is ${process.version}`)
}

/** An environment in which programs find the installed Node and tools first. */
export function toolEnvironment(more = {}) {
  const path = [join(modules, '.bin'), dirname(nodePath()), process.env.PATH].join(delimiter)
  return { NODE_COMPILE_CACHE: join(modules, '.cache/compiled'), ...process.env, PATH: path, ...more }
}

/** npm, run by a Node outside of node_modules: it would replace that one while running on it. */
function npm(...args) {
  const path = (process.env.PATH ?? '').split(delimiter).filter((entry) => !entry.startsWith(modules))
  const env = { ...process.env, PATH: path.join(delimiter) }
  const cli = process.env.npm_execpath
  if (cli?.endsWith('.js') && !process.execPath.startsWith(modules))
    return [process.execPath, [cli, ...args], env]
  return ['npm', args, env]
}

/** Runs a program in the project's folder. Returns the end of its output instead of printing it. */
export function runQuietly(program, args, env = process.env) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (data) => {
        output = `${output}${data}`.slice(-8000)
      })
    child.on('error', (error) => resolve({ status: 1, output: error.message }))
    child.on('close', (status) => resolve({ status: status ?? 1, output }))
  })
}
