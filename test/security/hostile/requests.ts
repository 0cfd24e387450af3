import { randomUUID } from 'node:crypto'
import type { Route } from '#contract/route.ts'
import { encodeMultipart, type Part } from '#test/multipart.ts'
import type { Random } from '#test/random.ts'
import { CANARIES, type Generator } from './generate.ts'
import { hostileTexts } from './hostile-values.ts'

export interface FuzzRequest {
  readonly method: string
  readonly path: string
  readonly headers: Record<string, string>
  readonly body: Buffer | undefined
}

type Body = { headers: Record<string, string>; body: Buffer | undefined }
type Tools = { random: Random; generator: Generator; files: readonly Buffer[] }

/** A request of a route. Its path, query, body and headers are each valid or hostile. */
export function fuzzRequest(route: Route, tools: Tools): FuzzRequest {
  const { random } = tools
  const asForm = route.multipart && (route.multipart === true || random.chance(0.5))
  const { headers, body } = asForm ? multipartBody(route, tools) : jsonBody(route, tools)
  return {
    method: random.chance(0.97)
      ? route.method
      : random.pick(['HEAD', 'OPTIONS', 'PUT', 'PATCH', 'DELETE', 'POST']),
    path: pathOf(route, tools) + queryOf(route, tools),
    headers: { ...headers, ...hostileHeaders(random) },
    body,
  }
}

function pathOf(route: Route, { generator, random }: Tools): string {
  const photo = () => (random.chance(0.8) ? random.pick(generator.photos) : random.pick(hostileTexts))
  return route.path
    .replace(/:\w+/g, (name) =>
      encode(name === ':slug' ? random.pick(['amazon', 'target', 'zara']) : generator.id()),
    )
    .replace('*', () => encode(photo()))
}

function queryOf({ query }: Route, { generator, random }: Tools): string {
  const fields = generator.fields(query)
  const pairs = typeof fields === 'object' && fields !== null ? Object.entries(fields) : []
  const search = pairs.map(([name, value]) => `${encode(name)}=${encode(textOf(value))}`)
  if (random.chance(0.03))
    search.push(random.pick(['%', '%ff%fe', 'a[b][c]=1', '__proto__=1', '&&&=', 'q=1&q=2']))
  return search.length > 0 ? `?${search.join('&')}` : ''
}

function jsonBody({ body: schema, method }: Route, { generator, random }: Tools): Body {
  if (!schema && random.chance(0.8)) return { headers: {}, body: undefined }
  if (method === 'GET') return { headers: {}, body: undefined }
  const sent = Buffer.from(JSON.stringify(generator.fields(schema)) ?? '')
  const type = random.chance(0.97)
    ? 'application/json'
    : random.pick([
        'text/plain',
        'application/xml',
        'application/x-www-form-urlencoded',
        'x',
        'multipart/form-data',
      ])
  return { headers: { 'content-type': type }, body: random.chance(0.05) ? mangled(sent, random) : sent }
}

function multipartBody({ body: schema, photo }: Route, { generator, random, files }: Tools): Body {
  const fields = generator.fields(schema)
  const pairs = typeof fields === 'object' && fields !== null ? Object.entries(fields) : []
  const parts: Part[] = pairs.map(([name, value]) => ({ name, value: textOf(value) }))
  const count = random.chance(0.95) ? random.below(3) : random.below(14)
  for (let i = 0; i < count; i++) {
    const filename = random.chance(0.9)
      ? 'card.jpg'
      : random.pick(['../../x', 'a\u0000.svg', 'x"y', '.htaccess'])
    parts.push({ name: photo ? 'photo' : 'images', filename, type: 'image/jpeg', bytes: random.pick(files) })
  }
  const { payload, contentType } = encodeMultipart(parts)
  const headers = {
    'content-type': contentType,
    'idempotency-key': random.chance(0.9) ? randomUUID() : random.hex(300),
  }
  return { headers, body: random.chance(0.1) ? mangled(payload, random) : payload }
}

// A broken quote or boundary could move a secret into a public field, so bodies with secrets are only cut off.
function mangled(bytes: Buffer, random: Random): Buffer {
  const secret = CANARIES.some((canary) => bytes.includes(canary))
  if (secret || random.chance(0.5)) return bytes.subarray(0, random.below(bytes.length + 1))
  const copy = Buffer.from(bytes)
  for (let i = 0; i < 4 && copy.length > 0; i++) copy[random.below(copy.length)] = random.below(256)
  return copy
}

function hostileHeaders(random: Random): Record<string, string> {
  if (!random.chance(0.1)) return {}
  return random.pick<Record<string, string>>([
    {
      'x-forwarded-for': "1.2.3.4', ''); --",
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'evil.example',
    },
    { 'x-http-method-override': 'DELETE' },
    { accept: 'text/html', 'accept-encoding': 'br;q=x, gzip;;' },
    { 'if-none-match': '"'.repeat(200) },
    { 'user-agent': '\u00ff'.repeat(500) },
    { range: 'bytes=0-,-1,99999999999999-' },
    { 'content-encoding': 'gzip' },
    { expect: '100-continue' },
    { host: 'evil.example' },
  ])
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

/** Half a surrogate pair cannot be encoded, so it becomes bytes that are not UTF-8 either. */
function encode(text: string): string {
  return text.isWellFormed() ? encodeURIComponent(text) : '%ed%a0%80'
}
