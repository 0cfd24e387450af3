/**
 * What stands between a fresh clone and running it. Plain JavaScript for any Node from 18 on, with nothing installed.
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { withLock } from './lock.mjs'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))
const modules = join(root, 'node_modules')
export const vitest = join(modules, 'vitest/vitest.mjs')
const installStamp = join(modules, '.unspent-lock')
const buildStamp = join(root, 'dist/web/.stamp')
/** What the web app is made of. */
const webSources = ['web', 'contract', 'domain', 'vite.config.ts', 'tsconfig.json', 'package-lock.json']

/** What a script cannot do; the message is what the operator is told. */
export class StartError extends Error {}

export function say(line) {
  process.stdout.write(`${line}\n`)
}

/** Does what a script is for, or says why it cannot. */
export async function orSay(work) {
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
  if (isInstalled()) return
  await alone('installing', async () => {
    if (isInstalled()) return
    say('Installing the packages it needs, which takes about a minute …')
    const { status, output } = await runQuietly(...npm('ci', '--include=dev', '--include=optional'))
    if (status !== 0) throw new StartError(`npm ci failed:\n${output.trim()}`)
    writeFileSync(installStamp, lockHash())
  })
}

/** Builds the web app unless it was built from the sources as they are now. */
export async function ensureBuilt() {
  if (isBuilt()) return
  await alone('building', async () => {
    if (isBuilt()) return
    say('Building the web app …')
    const { status, output } = await runQuietly(...npm('run', 'build'))
    if (status !== 0) throw new StartError(`the web app could not be built:\n${output.trim()}`)
    recordBuild()
  })
}

/** Two that are started on one clone don't install or build into each other. */
function alone(doing, work) {
  const onWait = () => say(`Waiting for another process that is ${doing} …`)
  return withLock(join(root, 'dist', `.${doing}`), onWait, work)
}

/** Notes of what the web app in dist/ was built. */
export function recordBuild() {
  writeFileSync(buildStamp, webHash())
}

/** A Node that runs the server: the one installed for it, or the one running this when it is new enough. */
export function nodePath() {
  const own = join(modules, `node-${process.platform}-${process.arch}`, 'bin', 'node')
  if (existsSync(own)) return own
  if (Number.parseInt(process.versions.node, 10) >= 24) return process.execPath
  throw new StartError(
    `Node 24 is needed on ${process.platform}-${process.arch}, and this is ${process.version}`,
  )
}

/** The environment in which programs find the installed Node and tools first, and what they compiled before. */
export function toolEnvironment(more = {}) {
  const path = [join(modules, '.bin'), dirname(nodePath()), process.env.PATH].join(delimiter)
  return { NODE_COMPILE_CACHE: join(modules, '.cache/compiled'), ...process.env, PATH: path, ...more }
}

function isInstalled() {
  if (read(installStamp) === lockHash()) return true
  if (!matchesLock()) return false
  writeFileSync(installStamp, lockHash())
  return true
}

/** Somebody may have run npm themselves: npm notes what it has installed. */
function matchesLock() {
  const wanted = parse(join(root, 'package-lock.json'))
  const found = parse(join(modules, '.package-lock.json'))
  if (!wanted || !found) return false
  return Object.entries(wanted).every(([path, { version, optional }]) => {
    if (path === '') return true
    return found[path] ? found[path].version === version : optional && !fitsHere(wanted[path])
  })
}

function fitsHere({ os, cpu, libc }) {
  const glibc = Boolean(process.report?.getReport().header.glibcVersionRuntime)
  const fits = (list, value) => !list || list.includes(value)
  return fits(os, process.platform) && fits(cpu, process.arch) && fits(libc, glibc ? 'glibc' : 'musl')
}

function parse(path) {
  const text = read(path)
  return text && JSON.parse(text).packages
}

function lockHash() {
  return hashOf(['package-lock.json'])
}

function isBuilt() {
  // Where only the built app was brought along there is nothing to build from.
  if (!existsSync(join(root, 'web'))) return existsSync(join(root, 'dist/web'))
  return read(buildStamp) === webHash()
}

/** Settings that are built into the pages. */
const builtIn = ['PRODUCT_NAME', 'SUPPORT_EMAIL', 'SUPPORT_PHONE', 'SUPPORT_HOURS']

function webHash() {
  return hashOf(webSources, builtIn.map((name) => process.env[name] ?? '').join('\n'))
}

function hashOf(names, salt = '') {
  const hash = createHash('sha256').update(`${salt}\0`)
  for (const file of names.flatMap((name) => filesAt(join(root, name)))) {
    hash.update(`${relative(root, file).split(sep).join('/')}\0`)
    hash.update(createHash('sha256').update(readFileSync(file)).digest())
  }
  return hash.digest('hex')
}

function filesAt(path) {
  try {
    const entries = readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
    return entries.flatMap((entry) => {
      if (/\.test\.tsx?$/.test(entry.name)) return []
      const inner = join(path, entry.name)
      return entry.isDirectory() ? filesAt(inner) : [inner]
    })
  } catch (error) {
    if (error.code === 'ENOTDIR') return [path]
    if (error.code === 'ENOENT') return []
    throw error
  }
}

function read(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}

/** npm on a Node that it does not replace while it runs. */
function npm(...args) {
  const env = { ...process.env, PATH: pathWithoutModules() }
  const cli = process.env.npm_execpath
  if (cli?.endsWith('.js') && !process.execPath.startsWith(modules))
    return [process.execPath, [cli, ...args], env]
  return ['npm', args, env]
}

function pathWithoutModules() {
  const entries = (process.env.PATH ?? '').split(delimiter)
  return entries.filter((entry) => !entry.startsWith(modules)).join(delimiter)
}

/** Runs a program in the project's folder and keeps what it says to itself: its end is told when it fails. */
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
