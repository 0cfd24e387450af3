import { BlockList, isIP } from 'node:net'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'

/** Where photos are kept. The folder is absolute in `Config`. */
export type Storage = { kind: 'file'; folder: string } | BucketSetting

/** A bucket of an S3-compatible store. */
export type BucketSetting = {
  kind: 's3'
  bucket: string
  /** What the names of all objects begin with: empty, or a path that ends in a slash. */
  prefix: string
  /** Undefined: Amazon's own, by the region. */
  endpoint: string | undefined
  region: string
  /** Undefined: from wherever the store's client finds them, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY first. */
  credentials: { accessKeyId: string; secretAccessKey: string } | undefined
}

// Readers of one setting's text. Each answers the value, or `undefined` when the text is not allowed; the caller
// turns that into the line the operator sees.

/** A whole number in decimal digits from `min` to `max`. */
export function wholeNumber(text: string, min: number, max: number): number | undefined {
  if (!/^\d{1,9}$/.test(text)) return undefined
  const value = Number(text)
  return value >= min && value <= max ? value : undefined
}

/** An IP address or a host name, without brackets or port. */
export function hostName(text: string): string | undefined {
  const named = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/i.test(text)
  return isIP(text) > 0 || named ? text : undefined
}

/** One e-mail address without a name, as `oneAddress` of the mailer takes it. */
export function emailAddress(text: string): string | undefined {
  return z.email().max(320).safeParse(text).data
}

/** A URL whose protocol is one of `protocols` (written as `http:`), as it was given. */
export function urlWith(text: string, protocols: readonly string[]): URL | undefined {
  const url = URL.parse(text)
  return url && protocols.includes(url.protocol) ? url : undefined
}

/** `https://host[:port]` and nothing after it; answers it without a trailing slash. */
export function webOrigin(text: string): string | undefined {
  const url = urlWith(text, ['http:', 'https:'])
  const bare = url && url.pathname === '/' && !url.search && !url.hash && !url.username && !url.password
  return bare ? url.origin : undefined
}

/** A name of 1 to 50 characters without blanks, commas or control characters. */
export function accountName(text: string): string | undefined {
  return /^[^\s,\p{Cc}]{1,50}$/u.test(text) ? text : undefined
}

/** A comma list in lower case, each entry once. Blanks around entries are dropped. */
export function nameList(text: string): string[] | undefined {
  const names = commaList(text)
  return names.length > 0 && names.every(accountName)
    ? [...new Set(names.map((n) => n.toLowerCase()))]
    : undefined
}

/** `off` is false; otherwise a comma list of addresses and CIDR blocks. */
export function proxyList(text: string): false | string[] | undefined {
  if (text.toLowerCase() === 'off') return false
  const entries = commaList(text)
  return entries.length > 0 && entries.every(isAddressBlock) ? entries : undefined
}

/** Whether only this machine can reach the host (name or address, with or without IPv6 brackets). */
export function isLoopback(host: string): boolean {
  const bare = host.toLowerCase().replace(/^\[(.*)\]$/, '$1')
  if (bare === 'localhost' || bare.endsWith('.localhost')) return true
  const family = isIP(bare)
  return family > 0 && loopback.check(bare, family === 6 ? 'ipv6' : 'ipv4')
}

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8)
loopback.addAddress('::1', 'ipv6')

function isAddressBlock(entry: string): boolean {
  const [address = '', bits, ...rest] = entry.split('/')
  const family = isIP(address)
  if (family === 0 || rest.length > 0) return false
  return bits === undefined || wholeNumber(bits, 0, family === 6 ? 128 : 32) !== undefined
}

function commaList(text: string): string[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean)
}

/** A bucket, or `file:` and the path of a folder, which may be relative. */
export function storageLocation(text: string): Storage | undefined {
  if (!/^file:[^?#]+$/i.test(text)) return bucketAt(text)
  if (!/^file:\/\//i.test(text)) return { kind: 'file', folder: text.slice('file:'.length) }
  try {
    return { kind: 'file', folder: fileURLToPath(text) }
  } catch {
    return undefined
  }
}

/** `s3://[key:secret@]bucket[/prefix][?endpoint=https://host&region=name]` */
export function bucketAt(text: string): BucketSetting | undefined {
  const url = urlWith(text, ['s3:'])
  if (!url || !/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(url.hostname) || url.port || url.hash)
    return undefined
  const { endpoint, region, ...others } = Object.fromEntries(url.searchParams)
  if (Object.keys(others).length > 0 || Boolean(url.username) !== Boolean(url.password)) return undefined
  const origin = endpoint === undefined ? undefined : webOrigin(endpoint)
  if (endpoint !== undefined && !origin) return undefined
  const path = url.pathname.split('/').filter(Boolean)
  if (!path.every((part) => /^[\w.-]+$/.test(part))) return undefined
  const credentials = url.username ? credentialsIn(url) : undefined
  if (url.username && !credentials) return undefined
  return {
    kind: 's3',
    bucket: url.hostname,
    prefix: path.map((part) => `${part}/`).join(''),
    endpoint: origin,
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
