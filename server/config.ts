import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { OperatorError } from '#server/operator-error.ts'
import type { Storage } from './config-values.ts'
import {
  accountName,
  bucketAt,
  hostName,
  isLoopback,
  nameList,
  proxyList,
  urlWith,
  webOrigin,
  wholeNumber,
} from './config-values.ts'

/** A setting that holds what it may not. The message is one line, made for the operator, without secrets. */
export class ConfigError extends OperatorError {
  override name = 'ConfigError'
}

type Setting<T> = {
  /** What is read when the variable is unset or empty; no default means the setting stays undefined. */
  default?: string
  doc: string
  /** What it may hold, completing "it may hold …". */
  allowed: string
  /** Its value never appears in a message. */
  secret?: true
  /** Blanks around it belong to it. */
  verbatim?: true
  /** Answers undefined for a text that is not allowed. */
  parse: (text: string) => T | undefined
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

function setting<T>(entry: Setting<T>): Setting<T> {
  return entry
}

/** Every environment variable the server reads. `docs/operating.md` is written from this table. */
export const settings = {
  PRODUCT_NAME: setting({
    default: 'Unspent',
    doc: 'The name shown wherever the product names itself.',
    allowed: '1 to 60 characters',
    parse: (text) => (text.length <= 60 && !/\p{Cc}/u.test(text) ? text : undefined),
  }),
  PORT: setting({
    default: '3000',
    doc: 'The port to listen on; 0 takes any free one.',
    allowed: 'a whole number from 0 to 65535',
    parse: (text) => wholeNumber(text, 0, 65535),
  }),
  HOST: setting({
    default: '127.0.0.1',
    doc: 'The address to listen on.',
    allowed: 'an IP address or a host name',
    parse: hostName,
  }),
  DATA_DIR: setting({
    default: './data',
    doc: 'The folder of everything that is kept by default: database, uploads, generated keys, unsent mail.',
    allowed: 'the path of a folder',
    parse: (text) => (text.includes('\0') ? undefined : resolve(text)),
  }),
  DATABASE_URL: setting({
    doc: 'A PostgreSQL 15 or newer to use in place of the embedded one.',
    allowed: 'a URL like postgres://user:password@host:5432/database',
    secret: true,
    parse: (text) => (urlWith(text, ['postgres:', 'postgresql:']) ? text : undefined),
  }),
  STORAGE_URL: setting({
    doc: 'Where photos are kept; unset: the folder uploads below DATA_DIR. A relative path is taken below DATA_DIR.',
    allowed:
      'file: and the path of a folder, like file:///srv/unspent/uploads, or a bucket, like s3://bucket?endpoint=https://store:9000',
    secret: true,
    parse: (text) => (/^file:[^?#]+$/i.test(text) || bucketAt(text) ? text : undefined),
  }),
  SMTP_URL: setting({
    doc: 'Where mail is handed over; unset: each mail becomes one .eml file below DATA_DIR/mail.',
    allowed: 'a URL like smtp://user:password@host:587 or smtps://host:465',
    secret: true,
    parse: (text) => (urlWith(text, ['smtp:', 'smtps:'])?.hostname ? text : undefined),
  }),
  SECRET_KEYS: setting({
    doc: 'The keys that seal card codes, bank numbers and photos; unset: generated below DATA_DIR.',
    allowed: 'names and keys of 32 bytes, like k1:BASE64,index:BASE64',
    secret: true,
    parse: (text) => text,
  }),
  ADMIN_USERNAME: setting({
    default: 'admin',
    doc: 'The username of the first administrator, made when there is none.',
    allowed: '1 to 50 characters without blanks and commas',
    parse: accountName,
  }),
  ADMIN_PASSWORD: setting({
    doc: 'The password of the first administrator; unset: one is generated and printed once.',
    allowed: '8 to 128 characters',
    secret: true,
    verbatim: true,
    parse: (text) => ([...text].length >= 8 && [...text].length <= 128 ? text : undefined),
  }),
  ADMIN_USERNAMES: setting({
    default: 'admin',
    doc: 'Usernames that are shown the Admin Dashboard button. Nobody can register them.',
    allowed: 'a comma list of usernames',
    parse: nameList,
  }),
  PUBLIC_URL: setting({
    doc: 'The address people use, for links in mails and as the allowed origin; unset: the address listened on.',
    allowed: 'an http or https origin without a path, like https://unspent.example',
    parse: webOrigin,
  }),
  RATE_LIMITS: setting({
    default: 'on',
    doc: 'off is for tests only and needs HOST and PUBLIC_URL to be loopback.',
    allowed: 'on or off',
    parse: (text) => ({ on: true, off: false })[text.toLowerCase()],
  }),
  ERASE_AFTER_DAYS: setting({
    default: '90',
    doc: 'Days from its final state until number, PIN, payout account and photos of a submission are erased.',
    allowed: 'a whole number from 1 to 3650',
    parse: (text) => wholeNumber(text, 1, 3650),
  }),
  LOG_LEVEL: setting({
    default: 'info',
    doc: 'How much is logged.',
    allowed: `one of ${logLevels.join(', ')}`,
    parse: (text) => logLevels.find((level) => level === text.toLowerCase()),
  }),
  METRICS_PORT: setting({
    doc: 'The port of /metrics for Prometheus, on an address of its own; unset: there is none.',
    allowed: 'a whole number from 1 to 65535',
    parse: (text) => wholeNumber(text, 1, 65535),
  }),
  METRICS_HOST: setting({
    default: '127.0.0.1',
    doc: 'The address that METRICS_PORT listens on: one that only you reach.',
    allowed: 'an IP address or a host name',
    parse: hostName,
  }),
  TRUST_PROXY: setting({
    default: 'off',
    doc: 'The proxies whose X-Forwarded-* headers are believed.',
    allowed: 'off, or a comma list of IP addresses and CIDR blocks',
    parse: proxyList,
  }),
}

/** All settings as a table in Markdown, for `docs/operating.md`. */
export function settingsTable(): string {
  const rows = Object.entries<Setting<unknown>>(settings).map(([name, entry]) => {
    const unset = entry.default === undefined ? '–' : `\`${entry.default}\``
    return `| \`${name}\` | ${unset} | ${entry.doc} It may hold ${entry.allowed}. |`
  })
  return ['| variable | default | what it is |', '| --- | --- | --- |', ...rows, ''].join('\n')
}

/** All settings as the file `.env.example`, each with its default or an empty one behind a comment's sign. */
export function settingsExample(): string {
  const entries = Object.entries<Setting<unknown>>(settings).map(
    ([name, entry]) => `# ${entry.doc}\n# It may hold ${entry.allowed}.\n#${name}=${entry.default ?? ''}\n`,
  )
  return `${EXAMPLE_HEAD}\n${entries.join('\n')}`
}

const EXAMPLE_HEAD = `# Copy this file to .env and set there what you want to change: npm start, npm run dev and npm run admin read it.
# A variable of the environment wins over it. A value is the rest of its line; quotes around all of it are dropped.
# Keep .env to yourself (chmod 600): it may hold passwords and keys.
`

type Settings = typeof settings
type Environment = Readonly<Record<string, string | undefined>>
type Value<Name extends keyof Settings> = NonNullable<ReturnType<Settings[Name]['parse']>>

export type Config = {
  productName: string
  /** 0 means any free port. */
  port: number
  host: string
  /** Absolute. */
  dataDir: string
  /** Undefined: the embedded PostgreSQL. */
  databaseUrl: string | undefined
  storage: Storage
  smtpUrl: string | undefined
  secretKeys: string | undefined
  adminUsername: string
  adminPassword: string | undefined
  /** Lower case. */
  adminUsernames: string[]
  /** An origin without a trailing slash. Undefined: the address the server listens on. */
  publicUrl: string | undefined
  rateLimits: boolean
  eraseAfterDays: number
  logLevel: LogLevel
  /** Undefined: nothing is measured. */
  metricsPort: number | undefined
  metricsHost: string
  /** False, or what Fastify's `trustProxy` takes. */
  trustProxy: false | string[]
}

/**
 * Reads all settings from an environment, which is not touched. An empty variable counts as unset.
 *
 * @throws {ConfigError} at the first setting that holds what it may not.
 */
export function readConfig(env: Environment): Config {
  const dataDir = required(env, 'DATA_DIR')
  const config: Config = {
    productName: required(env, 'PRODUCT_NAME'),
    port: required(env, 'PORT'),
    host: required(env, 'HOST'),
    dataDir,
    databaseUrl: optional(env, 'DATABASE_URL'),
    storage: storageAt(optional(env, 'STORAGE_URL') ?? 'file:uploads', dataDir),
    smtpUrl: optional(env, 'SMTP_URL'),
    secretKeys: optional(env, 'SECRET_KEYS'),
    adminUsername: required(env, 'ADMIN_USERNAME'),
    adminPassword: optional(env, 'ADMIN_PASSWORD'),
    adminUsernames: required(env, 'ADMIN_USERNAMES'),
    publicUrl: optional(env, 'PUBLIC_URL'),
    rateLimits: required(env, 'RATE_LIMITS'),
    eraseAfterDays: required(env, 'ERASE_AFTER_DAYS'),
    logLevel: required(env, 'LOG_LEVEL'),
    metricsPort: optional(env, 'METRICS_PORT'),
    metricsHost: required(env, 'METRICS_HOST'),
    trustProxy: required(env, 'TRUST_PROXY'),
  }
  refuseOpenLimits(config)
  return config
}

function required<Name extends keyof Settings>(env: Environment, name: Name): Value<Name> {
  const value = optional(env, name)
  if (value === undefined) throw new ConfigError(`${name} is not set; it may hold ${settings[name].allowed}`)
  return value
}

function optional<Name extends keyof Settings>(env: Environment, name: Name): Value<Name> | undefined {
  const entry: Setting<unknown> = settings[name]
  const trimmed = env[name]?.trim()
  const text = trimmed ? (entry.verbatim ? env[name] : trimmed) : entry.default
  if (text === undefined) return undefined
  const value = entry.parse(text)
  if (value === undefined) throw refusal(name, text, entry)
  return value as Value<Name>
}

function refusal(name: string, text: string, entry: Setting<unknown>): ConfigError {
  const held = entry.secret ? `a value of ${text.length} characters` : JSON.stringify(text.slice(0, 200))
  return new ConfigError(`${name} holds ${held}; it may hold ${entry.allowed}`)
}

function storageAt(text: string, dataDir: string): Storage {
  const bucket = bucketAt(text)
  if (bucket) return bucket
  const path = /^file:\/\//i.test(text) ? filePath(text) : text.slice('file:'.length)
  return { kind: 'file', folder: resolve(dataDir, path) }
}

function filePath(text: string): string {
  try {
    return fileURLToPath(text)
  } catch {
    throw refusal('STORAGE_URL', text, settings.STORAGE_URL)
  }
}

function refuseOpenLimits({ rateLimits, host, publicUrl }: Config): void {
  if (rateLimits) return
  const rule = 'RATE_LIMITS holds "off"; it may hold off only while HOST and PUBLIC_URL are loopback'
  if (!isLoopback(host)) throw new ConfigError(`${rule}, and HOST holds ${JSON.stringify(host)}`)
  if (publicUrl && !isLoopback(new URL(publicUrl).hostname))
    throw new ConfigError(`${rule}, and PUBLIC_URL holds ${JSON.stringify(publicUrl)}`)
}
