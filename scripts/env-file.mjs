/** The file `.env`: settings for those who don't want to set variables. Plain JavaScript for any Node from 18 on. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, StartError } from './bootstrap.mjs'

/** What others read from the environment; the store's client finds its keys there. */
const OTHERS = /^(AWS_|NODE_)/

/**
 * Takes the settings of `.env` into the environment, where whatever is set already wins. Strict where Node's own
 * reader is silent: a line that would not be what somebody meant stops the start.
 *
 * @throws {StartError} with one line that names the file and the line, and no value: it may be a secret.
 */
export function readEnvFile(path = join(root, '.env'), environment = process.env) {
  if (!existsSync(path)) return
  const names = settingNames()
  const seen = new Set()
  for (const [index, line] of readFileSync(path, 'utf8')
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    if (/^\s*(#|$)/.test(line)) continue
    const [, name, value] = /^\s*([A-Za-z_]\w*)\s*=(.*)$/.exec(line) ?? []
    const wrong = (what) => new StartError(`${path}, line ${index + 1}: ${what}`)
    if (name === undefined) throw wrong('it may hold NAME=value, or a comment that begins with #')
    if (!names.has(name) && !OTHERS.test(name))
      throw wrong(`${name} is no setting; .env.example has all of them`)
    if (seen.has(name)) throw wrong(`${name} is set a second time`)
    seen.add(name)
    environment[name] ??= unquoted(value.trim())
  }
}

/** From the file that a test holds against the server's settings. */
function settingNames() {
  const text = readFileSync(join(root, '.env.example'), 'utf8')
  return new Set([...text.matchAll(/^#?([A-Z_]+)=/gm)].map(([, name]) => name))
}

/** Quotes around the whole value, for blanks at its ends. Nothing else has a meaning: a password may have # and $. */
function unquoted(value) {
  return /^(["']).*\1$/.test(value) && value.length > 1 ? value.slice(1, -1) : value
}
