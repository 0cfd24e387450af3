import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { OperatorError } from '#server/operator-error.ts'
import { bucketAt, isLoopback, type Storage } from './config-values.ts'
import { type LogLevel, type Setting, settings } from './settings.ts'

/** A setting that holds what it may not. The message is one line, made for the operator, without secrets. */
export class ConfigError extends OperatorError {
  override name = 'ConfigError'
}

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
  staffSessionHours: number
  staffIdleMinutes: number
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
    staffSessionHours: required(env, 'STAFF_SESSION_HOURS'),
    staffIdleMinutes: required(env, 'STAFF_IDLE_MINUTES'),
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
