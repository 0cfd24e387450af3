import { BlockList, isIP } from 'node:net'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { type Cents, parseDollars } from '#domain/money.ts'
import { isRoutingNumber } from '#domain/payment-methods.ts'
import { isTimeZone } from '#domain/shop-time.ts'

/** What a setting accepts: a zod schema, and the same in words, completing "it must be …". */
export interface ValueType<T> {
  readonly mustBe: string
  readonly schema: z.ZodType<T, string>
}

/** Where photos are kept. The folder is absolute in `Config`. */
export type Storage = { kind: 'file'; folder: string } | BucketSetting

/** A bucket of an S3-compatible store. */
export type BucketSetting = {
  kind: 's3'
  bucket: string
  /** The start of every object name: empty, or a path that ends in a slash. */
  prefix: string
  /** Undefined: Amazon's endpoint for the region. */
  endpoint: string | undefined
  region: string
  /** Undefined: the client's own lookup, which starts with AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY. */
  credentials: { accessKeyId: string; secretAccessKey: string } | undefined
}

export const shortText = (max: number): ValueType<string> => ({
  mustBe: `1 to ${max} characters`,
  schema: z
    .string()
    .max(max)
    .regex(/^\P{Cc}+$/u),
})

/** Becomes absolute. */
export const folder: ValueType<string> = {
  mustBe: 'the path of a folder',
  schema: z
    .string()
    // A name like -m is a mistyped option.
    .regex(/^[^-\0][^\0]*$/)
    .transform((path) => resolve(path)),
}

/** Decimal digits only. */
export const wholeNumber = (min: number, max: number): ValueType<number> => ({
  mustBe: `a whole number from ${min} to ${max}`,
  schema: z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number)
    .pipe(z.number().min(min).max(max)),
})

export const onOrOff: ValueType<boolean> = {
  mustBe: 'on or off',
  schema: z
    .string()
    .toLowerCase()
    .pipe(z.enum(['on', 'off']))
    .transform((text) => text === 'on'),
}

/** Becomes true for `always`. */
export const timeZone: ValueType<string> = {
  mustBe: 'the name of a time zone like America/New_York',
  schema: z.string().refine(isTimeZone),
}

/** Minutes after midnight. */
export const clockTime: ValueType<number> = {
  mustBe: 'a time like 17:00',
  schema: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/)
    .transform((text) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3))),
}

export const alwaysOrPossible: ValueType<boolean> = {
  mustBe: 'always or when_possible',
  schema: z
    .string()
    .toLowerCase()
    .pipe(z.enum(['always', 'when_possible']))
    .transform((text) => text === 'always'),
}

/** Becomes cents; `off` becomes undefined. */
export const dollarsOrOff: ValueType<Cents | undefined> = {
  mustBe: 'off or an amount in dollars, like 200',
  schema: z
    .string()
    .transform((text) => (/^off$/i.test(text) ? 'off' : parseDollars(text)))
    .refine((amount) => amount === 'off' || (amount !== undefined && amount >= 0))
    .transform((amount) => (amount === 'off' ? undefined : amount)),
}

export const routingNumber: ValueType<string> = {
  mustBe: 'a routing number: nine digits, the last of which is their check digit',
  schema: z
    .string()
    .regex(/^\d{9}$/)
    .refine(isRoutingNumber),
}

/** An identification in an ACH file. Becomes upper case. */
export const achId = (min: number, max: number): ValueType<string> => ({
  mustBe: `${min} to ${max} letters or digits`,
  schema: z
    .string()
    .regex(/^[a-z\d]+$/i)
    .min(min)
    .max(max)
    .toUpperCase(),
})

/** Text for an ACH file. Becomes upper case. */
export const achText = (min: number, max: number): ValueType<string> => ({
  mustBe: `${min} to ${max} ASCII characters`,
  schema: z
    .string()
    .regex(/^[\x20-\x7e]+$/)
    .min(min)
    .max(max)
    .toUpperCase(),
})

/** A host without brackets or a port. */
export const hostName: ValueType<string> = {
  mustBe: 'an IP address or a host name',
  schema: z
    .string()
    .refine((text) => isIP(text) > 0)
    .or(z.hostname()),
}

/** The address alone, without a display name. */
export const emailAddress: ValueType<string> = { mustBe: 'one email address', schema: z.email().max(320) }

/** Becomes `https://host[:port]`, without a trailing slash. */
export const webOrigin: ValueType<string> = {
  mustBe: 'an http or https origin without a path, like https://unspent.example',
  schema: z
    .url({ protocol: /^https?$/ })
    .transform((text) => new URL(text))
    .refine(({ href, origin }) => href === `${origin}/`)
    .transform(({ origin }) => origin),
}

/** Its metadata are at /.well-known/openid-configuration below it. */
export const issuer: ValueType<string> = {
  mustBe: 'an https URL without a query, like https://accounts.google.com',
  schema: z.url({ protocol: /^https?$/ }).refine((text) => {
    const { protocol, hostname, search, hash, username } = new URL(text)
    return (protocol === 'https:' || isLoopback(hostname)) && !search && !hash && !username
  }),
}

export const accountName: ValueType<string> = {
  mustBe: '1 to 50 characters without spaces or commas',
  schema: z.string().regex(/^[^\s,\p{Cc}]{1,50}$/u),
}

const commaList = z
  .string()
  .transform((text) => text.split(',').map((entry) => entry.trim()))
  .transform((entries) => entries.filter(Boolean))

/** Becomes lower case without duplicates. */
export const accountNames: ValueType<string[]> = {
  mustBe: 'a comma-separated list of usernames',
  schema: commaList
    .pipe(z.array(accountName.schema).min(1))
    .transform((names) => [...new Set(names.map((name) => name.toLowerCase()))]),
}

/** Like `webOrigin`. */
export const webOrigins: ValueType<string[]> = {
  mustBe: 'a comma-separated list of http or https origins without a path',
  schema: commaList.pipe(z.array(webOrigin.schema).min(1)),
}

/** `off` becomes false. The list is what Fastify's `trustProxy` takes. */
export const proxies: ValueType<false | string[]> = {
  mustBe: 'off, or a comma-separated list of IP addresses and CIDR blocks',
  schema: z
    .string()
    .regex(/^off$/i)
    .transform(() => false as const)
    .or(commaList.pipe(z.array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])).min(1))),
}

/** The path of a file URL may be relative. */
export const storageLocation: ValueType<Storage> = {
  mustBe:
    'file: and the path of a folder, like file:///srv/unspent/uploads, or a bucket, like s3://bucket?endpoint=https://store:9000',
  schema: z
    .string()
    .transform((text) => folderAt(text) ?? bucketAt(text))
    .pipe(z.custom<Storage>((storage) => storage !== undefined)),
}

function folderAt(text: string): Storage | undefined {
  if (!/^file:[^?#]+$/i.test(text)) return undefined
  if (!/^file:\/\//i.test(text)) return { kind: 'file', folder: text.slice('file:'.length) }
  try {
    return { kind: 'file', folder: fileURLToPath(text) }
  } catch {
    return undefined
  }
}

/** Parses `s3://[key:secret@]bucket[/prefix][?endpoint=https://host&region=name]`. */
export function bucketAt(text: string): BucketSetting | undefined {
  const url = URL.parse(text)
  if (url?.protocol !== 's3:' || !/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(url.hostname)) return undefined
  if (url.port || url.hash || Boolean(url.username) !== Boolean(url.password)) return undefined
  const { endpoint, region, ...others } = Object.fromEntries(url.searchParams)
  if (Object.keys(others).length > 0) return undefined
  const origin = webOrigin.schema.optional().safeParse(endpoint)
  if (!origin.success) return undefined
  const path = url.pathname.split('/').filter(Boolean)
  if (!path.every((part) => /^[\w.-]+$/.test(part))) return undefined
  const credentials = url.username ? credentialsIn(url) : undefined
  if (url.username && !credentials) return undefined
  return {
    kind: 's3',
    bucket: url.hostname,
    prefix: path.map((part) => `${part}/`).join(''),
    endpoint: origin.data,
    region: region || 'us-east-1',
    credentials,
  }
}

function credentialsIn({ username, password }: URL): BucketSetting['credentials'] {
  try {
    return { accessKeyId: decodeURIComponent(username), secretAccessKey: decodeURIComponent(password) }
  } catch {
    return undefined
  }
}

/** Whether only this machine can reach the host (a name or an address, with or without IPv6 brackets). */
export function isLoopback(host: string): boolean {
  const bare = host.toLowerCase().replace(/^\[(.*)\]$/, '$1')
  if (bare === 'localhost' || bare.endsWith('.localhost')) return true
  const family = isIP(bare)
  return family > 0 && loopback.check(bare, family === 6 ? 'ipv6' : 'ipv4')
}

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8)
loopback.addAddress('::1', 'ipv6')
