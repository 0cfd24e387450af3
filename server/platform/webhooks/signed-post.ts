import { createHmac } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { inSpan, trace } from '#server/platform/trace.ts'

/** For the whole request, from the look-up of the name to the answer. */
const TIMEOUT_MS = 10_000
/** The connection closes when an answer is longer. */
const MAX_ANSWER_BYTES = 4096

const SECRET_PREFIX = 'whsec_'

export function newWebhookSecret(random: Buffer): string {
  return SECRET_PREFIX + random.toString('base64')
}

/** Why a request got no answer. The code is safe to log and show: it names neither the address nor the message. */
export class PostError extends Error {
  override name = 'PostError'
  readonly code: string

  constructor(code: string) {
    super(`The request got no answer: ${code}`)
    this.code = code
  }
}

export type ResolveHost = (host: string) => Promise<readonly { address: string; family: number }[]>

const resolveHost: ResolveHost = (host) => lookup(host, { all: true })

export interface PostOptions {
  /** Private addresses are allowed, and plain http to them. */
  readonly allowPrivate: boolean
  /** Of private addresses, plain http only to this machine, so that the body never crosses a network in the clear. */
  readonly isSecret?: boolean
  readonly resolve?: ResolveHost
}

interface SignedMessage {
  readonly id: string
  readonly body: string
  /** The signatures of all of them are sent. */
  readonly secrets: readonly string[]
}

/**
 * Posts JSON, signed by the scheme of https://www.standardwebhooks.com. Follows no redirect. Connects only to addresses that were
 * checked, so a name that changes its address in between gains nothing. Does not read the answer's body.
 *
 * @returns the status of the answer
 * @throws PostError without an answer, or if the address is not allowed
 */
export async function postSigned(url: URL, message: SignedMessage, options: PostOptions): Promise<number> {
  const { answer } = await inSpan({ name: 'POST webhook', kind: 'client' }, () => send(url, message, options))
  let bytes = 0
  // A receiver may still finish writing a short one.
  answer.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > MAX_ANSWER_BYTES) answer.destroy()
  })
  answer.on('error', () => undefined)
  return answer.statusCode ?? 0
}

/**
 * The same, for a request whose answer counts. The body must arrive within the same time.
 *
 * @throws PostError also for an answer that is longer than 4 KB
 */
export function askSigned(url: URL, message: SignedMessage, options: PostOptions) {
  return inSpan({ name: 'POST balance connector', kind: 'client' }, () => ask(url, message, options))
}

async function ask(
  url: URL,
  message: SignedMessage,
  options: PostOptions,
): Promise<{ status: number; body: string }> {
  const { answer, signal } = await send(url, message, options)
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of answer) {
      bytes += chunk.length
      // Leaving the loop closes the connection.
      if (bytes > MAX_ANSWER_BYTES) throw new PostError('answer_too_long')
      chunks.push(chunk)
    }
  } catch (error) {
    throw error instanceof PostError ? error : postErrorOf(error, signal)
  }
  return { status: answer.statusCode ?? 0, body: Buffer.concat(chunks).toString() }
}

async function send(
  url: URL,
  message: SignedMessage,
  options: PostOptions,
): Promise<{ answer: IncomingMessage; signal: AbortSignal }> {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const timedOut = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new PostError('timeout')), { once: true })
  })
  const addresses = await Promise.race([allowedAddresses(url, options), timedOut])
  const timestamp = Math.floor(Date.now() / 1000)
  const { requestId, span } = trace.getStore() ?? {}
  const signed = `${message.id}.${timestamp}.${message.body}`
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(message.body),
    'user-agent': 'Unspent-Webhooks',
    'webhook-id': message.id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': message.secrets.map((secret) => signatureOf(secret, signed)).join(' '),
    ...(requestId && { 'x-request-id': requestId }),
    ...(span && { traceparent: span.traceparent }),
  }
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? requestHttps : requestHttp
    // A connection for each request: one that is kept could have been checked long ago.
    const request = send(url, {
      ...{ method: 'POST', headers, signal, agent: false },
      lookup: lookupIn(addresses),
    })
    request.on('error', (error) => reject(postErrorOf(error, signal)))
    request.on('response', (answer) => resolve({ answer, signal }))
    request.end(message.body)
  })
}

function postErrorOf(error: unknown, signal: AbortSignal): PostError {
  return new PostError(signal.aborted ? 'timeout' : ((error as NodeJS.ErrnoException).code ?? 'failed'))
}

/** "v1," and the signature of `id.timestamp.body`. */
export function signatureOf(secret: string, signed: string): string {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
}

/** The addresses of the host. Throws `PostError` if there is none, or if one is not allowed. */
export async function allowedAddresses(
  { hostname, protocol }: URL,
  { allowPrivate, isSecret = false, resolve = resolveHost }: PostOptions,
): Promise<readonly { address: string; family: number }[]> {
  const addresses = await resolve(hostname.replace(/^\[|\]$/g, '')).catch(() => [])
  if (addresses.length === 0) throw new PostError('no_such_host')
  const arePublic = addresses.every(({ address }) => isPublic(address))
  if (!arePublic && !allowPrivate) throw new PostError('private_address')
  const isOwn = addresses.every(({ address }) => rangeOf(address) === 'loopback')
  if (protocol !== 'https:' && (arePublic || (isSecret && !isOwn))) throw new PostError('not_https')
  return addresses
}

/** Whether an address is on the internet: not private, local, reserved or a way around that, such as an IPv4 address inside IPv6. */
function isPublic(address: string): boolean {
  return rangeOf(address) === 'unicast'
}

function rangeOf(address: string): string | undefined {
  return ipaddr.isValid(address) ? ipaddr.process(address).range() : undefined
}

/** Answers the look-up of a connection from what was checked. Node does not look up an address. */
function lookupIn(addresses: readonly { address: string; family: number }[]): LookupFunction {
  return (_host, { all }, done) => {
    const [first] = addresses
    if (all) done(null, [...addresses])
    else done(null, first?.address ?? '', first?.family)
  }
}
