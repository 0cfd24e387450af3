import { resolve } from 'node:path'
import type { z } from 'zod'
import { type Brand, BrandError, readBrand } from '#brand/brand.ts'
import { isLoopback, type Storage } from './config-values.ts'
import { OperatorError } from './operator-error.ts'
import { type Setting, settings } from './settings.ts'

type Settings = typeof settings
type Value<Entry extends Setting> =
  | z.output<Entry['type']['schema']>
  | (Entry extends { default: string } ? never : undefined)

/** A setting without a default is undefined if the variable is unset. */
export type Config = { [Key in keyof Settings]: Value<Settings[Key]> } & { brand: Brand }

/**
 * Reads all settings from an environment. An empty variable counts as unset.
 *
 * @throws {OperatorError} with one line for each invalid setting
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const problems = mistypedNames(env)
  const read = ([key, setting]: [string, Setting]) => {
    const text = textOf(env[setting.name], setting)
    const parsed = setting.type.schema.optional().safeParse(text)
    if (!parsed.success) problems.push(problemOf(text ?? '', setting))
    return [key, parsed.data]
  }
  const config: Config = Object.fromEntries(Object.entries(settings).map(read))
  problems.push(...unsafeLimits(config))
  if (Boolean(config.backupTo) !== Boolean(config.backupRecipient))
    problems.push('BACKUP_TO and BACKUP_RECIPIENT need each other: set both or neither')
  const oidc = [config.oidcIssuer, config.oidcClientId, config.oidcClientSecret]
  if (oidc.some(Boolean) && !oidc.every(Boolean))
    problems.push('OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET need each other: set all or none')
  const paypal = [config.paypalClientId, config.paypalClientSecret, config.paypalEnvironment]
  if (config.payoutProvider && !paypal.every(Boolean))
    problems.push(
      'PAYOUT_PROVIDER needs PAYPAL_CLIENT_ID, PAYPAL_CLIENT_SECRET and PAYPAL_ENVIRONMENT: set all or unset it',
    )
  try {
    config.brand = readBrandOf(config)
  } catch (error) {
    if (!(error instanceof BrandError)) throw error
    problems.push(error.message)
  }
  if (problems.length > 0) throw new OperatorError(problems.join('\n'))
  const { storage, backupTo, dataDir } = config
  const absolute = (place: Storage): Storage =>
    place.kind === 'file' ? { kind: 'file', folder: resolve(dataDir, place.folder) } : place
  return { ...config, storage: absolute(storage), backupTo: backupTo && absolute(backupTo) }
}

/**
 * Other programs have variables too, so only names that are one slip away from a setting are refused. In `.env`, every unknown
 * name is.
 */
function mistypedNames(env: Readonly<Record<string, string | undefined>>): string[] {
  const names = Object.values<Setting>(settings).map(({ name }) => name)
  return Object.keys(env).flatMap((name) => {
    const meant = names.includes(name) ? undefined : names.find((known) => isOneSlip(name, known))
    return meant ? [`${name} is not a setting; it must be ${meant}, or unset`] : []
  })
}

/** Names of this length differ from those of other programs by one letter, such as HOST and POST. */
const SHORT_NAME = 5

/** Whether a name was typed with one letter too many, too few or wrong, with two letters swapped, or in lower case. */
function isOneSlip(name: string, known: string): boolean {
  const typed = name.toUpperCase()
  const shorter = Math.min(typed.length, known.length)
  let start = 0
  while (start < shorter && typed[start] === known[start]) start++
  let end = 0
  while (end < shorter - start && typed.at(-1 - end) === known.at(-1 - end)) end++
  const [ours, theirs] = [known, typed].map((text) => text.slice(start, text.length - end)) as [
    string,
    string,
  ]
  const isSwapped = theirs.length === 2 && ours === `${theirs[1]}${theirs[0]}`
  if (known.length <= SHORT_NAME) return isSwapped
  return isSwapped || (ours.length <= 1 && theirs.length <= 1)
}

function readBrandOf({ brandDir, productName, supportEmail, supportPhone, supportHours }: Config): Brand {
  const given = { name: productName, email: supportEmail, phone: supportPhone, hours: supportHours }
  return readBrand(brandDir, given)
}

function textOf(text: string | undefined, setting: Setting): string | undefined {
  const trimmed = text?.trim()
  return trimmed ? (setting.verbatim ? text : trimmed) : setting.default
}

function problemOf(text: string, { name, type, secret }: Setting): string {
  const value = secret ? `a value of ${text.length} characters` : JSON.stringify(text.slice(0, 200))
  return `${name} is ${value}; it must be ${type.mustBe}`
}

function unsafeLimits({ rateLimits, host, publicUrl }: Partial<Config>): string[] {
  if (rateLimits !== false) return []
  const rule = 'RATE_LIMITS is "off"; it must be on unless HOST and PUBLIC_URL are loopback'
  const problem = (name: string, value: string) => `${rule}, and ${name} is ${JSON.stringify(value)}`
  return [
    ...(host && !isLoopback(host) ? [problem('HOST', host)] : []),
    ...(publicUrl && !isLoopback(new URL(publicUrl).hostname) ? [problem('PUBLIC_URL', publicUrl)] : []),
  ]
}

/** The names of the contact details that are not set. Replies go to the support address by default. */
export function unsetContacts(config: Config): string[] {
  const { mailFrom, mailReplyTo, brand } = config
  const contacts = {
    mailFrom,
    mailReplyTo: mailReplyTo ?? brand.support.email,
    supportEmail: brand.support.email,
    supportPhone: brand.support.phone,
  }
  const unset = (Object.keys(contacts) as (keyof typeof contacts)[]).filter(
    (key) => contacts[key] === undefined,
  )
  return unset.map((key) => settings[key].name)
}
