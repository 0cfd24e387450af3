/** Reads the file `.env`. Plain JavaScript for Node 18 and newer. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, StartError } from './bootstrap.mjs'

/** Variables that libraries read, such as the keys of the S3 client. */
const forLibraries = /^(AWS_|NODE_)/

/**
 * Adds the settings of `.env` to the environment. Variables that are already set win. Node's own reader accepts typos, and
 * cuts a password at its #.
 *
 * @throws {StartError} naming file and line. Never the value, which may be a secret.
 */
export function readEnvFile(path = join(root, '.env'), environment = process.env) {
  if (!existsSync(path)) return
  const names = settingNames()
  const seen = new Set()
  const lines = readFileSync(path, 'utf8')
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
  for (const [index, line] of lines.entries()) {
    if (/^\s*(#|$)/.test(line)) continue
    const [, name, value] = /^\s*([A-Za-z_]\w*)\s*=(.*)$/.exec(line) ?? []
    const wrong = (what) => new StartError(`${path}, line ${index + 1}: ${what}`)
    if (name === undefined) throw wrong('expected NAME=value, or a comment that begins with #')
    if (!names.has(name) && !forLibraries.test(name))
      throw wrong(`${name} is not a setting; .env.example lists them all`)
    if (seen.has(name)) throw wrong(`${name} is set twice`)
    seen.add(name)
    environment[name] ??= unquoted(value.trim())
  }
}

/** A test compares .env.example with the server's settings. */
function settingNames() {
  const text = readFileSync(join(root, '.env.example'), 'utf8')
  return new Set([...text.matchAll(/^#?([A-Z_]+)=/gm)].map(([, name]) => name))
}

/** Quotes around the whole value keep spaces at its ends. Nothing else is special: a password may contain # and $. */
function unquoted(value) {
  return /^(["']).*\1$/.test(value) && value.length > 1 ? value.slice(1, -1) : value
}
