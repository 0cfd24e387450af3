import { resolve } from 'node:path'
import { isLoopback, type Storage } from './config-values.ts'
import { OperatorError } from './operator-error.ts'
import { type LogLevel, type Setting, settings } from './settings.ts'

/** Settings that hold what they may not. The message has one line for each, for the operator, without secrets. */
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
  mailFrom: string | undefined
  mailReplyTo: string | undefined
  supportEmail: string | undefined
  supportPhone: string | undefined
  supportHours: string
  secretKeys: string | undefined
  adminUsername: string
  adminPassword: string | undefined
  /** Lower case. */
  adminUsernames: string[]
  staffSessionHours: number
  staffIdleMinutes: number
  /** An origin without a trailing slash. Undefined: the address the server listens on. */
  publicUrl: string | undefined
  /** Whether browsers are to use https for every name below the host of `publicUrl` too. */
  hstsSubdomains: boolean
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
 * Reads all settings from an environment. An empty variable counts as unset.
 *
 * @throws {ConfigError} with one line for each setting that holds what it may not.
 */
export function readConfig(env: Environment): Config {
  const problems: string[] = []
  const read = <Name extends keyof Settings>(name: Name): Value<Name> | undefined => {
    const entry: Setting<unknown> = settings[name]
    const text = textOf(env[name], entry)
    if (text === undefined) return undefined
    const value = entry.parse(text)
    if (value === undefined) problems.push(refusal(name, text, entry))
    return value as Value<Name> | undefined
  }
  // A setting with a default has a value, unless it is one of the problems.
  const required = <Name extends keyof Settings>(name: Name) => read(name) as Value<Name>

  const dataDir = required('DATA_DIR')
  const config: Config = {
    productName: required('PRODUCT_NAME'),
    port: required('PORT'),
    host: required('HOST'),
    dataDir,
    databaseUrl: read('DATABASE_URL'),
    storage: storageAt(required('STORAGE_URL'), dataDir),
    smtpUrl: read('SMTP_URL'),
    mailFrom: read('MAIL_FROM'),
    mailReplyTo: read('MAIL_REPLY_TO'),
    supportEmail: read('SUPPORT_EMAIL'),
    supportPhone: read('SUPPORT_PHONE'),
    supportHours: required('SUPPORT_HOURS'),
    secretKeys: read('SECRET_KEYS'),
    adminUsername: required('ADMIN_USERNAME'),
    adminPassword: read('ADMIN_PASSWORD'),
    adminUsernames: required('ADMIN_USERNAMES'),
    staffSessionHours: required('STAFF_SESSION_HOURS'),
    staffIdleMinutes: required('STAFF_IDLE_MINUTES'),
    publicUrl: read('PUBLIC_URL'),
    hstsSubdomains: required('HSTS_SUBDOMAINS'),
    rateLimits: required('RATE_LIMITS'),
    eraseAfterDays: required('ERASE_AFTER_DAYS'),
    logLevel: required('LOG_LEVEL'),
    metricsPort: read('METRICS_PORT'),
    metricsHost: required('METRICS_HOST'),
    trustProxy: required('TRUST_PROXY'),
  }
  problems.push(...openLimits(config))
  if (problems.length > 0) throw new ConfigError(problems.join('\n'))
  return config
}

/** The names of the contact details that an operator has not set. */
export function unsetContacts({ mailFrom, mailReplyTo, supportEmail, supportPhone }: Config): string[] {
  const contacts = {
    MAIL_FROM: mailFrom,
    MAIL_REPLY_TO: mailReplyTo,
    SUPPORT_EMAIL: supportEmail,
    SUPPORT_PHONE: supportPhone,
  }
  return Object.entries(contacts).flatMap(([name, value]) => (value === undefined ? [name] : []))
}

function textOf(text: string | undefined, { default: otherwise, verbatim }: Setting<unknown>) {
  const trimmed = text?.trim()
  return trimmed ? (verbatim ? text : trimmed) : otherwise
}

function refusal(name: string, text: string, { secret, allowed }: Setting<unknown>): string {
  const held = secret ? `a value of ${text.length} characters` : JSON.stringify(text.slice(0, 200))
  return `${name} holds ${held}; it may hold ${allowed}`
}

/** @param setting undefined if it is invalid, which is reported separately */
function storageAt(setting: Storage | undefined, dataDir: string | undefined): Storage {
  if (setting?.kind === 's3') return setting
  return { kind: 'file', folder: resolve(dataDir ?? '', setting?.folder ?? '') }
}

function openLimits({ rateLimits, host, publicUrl }: Config): string[] {
  if (rateLimits !== false) return []
  const rule = 'RATE_LIMITS holds "off"; it may hold off only while HOST and PUBLIC_URL are loopback'
  const problem = (name: string, value: string) => `${rule}, and ${name} holds ${JSON.stringify(value)}`
  return [
    ...(host && !isLoopback(host) ? [problem('HOST', host)] : []),
    ...(publicUrl && !isLoopback(new URL(publicUrl).hostname) ? [problem('PUBLIC_URL', publicUrl)] : []),
  ]
}
