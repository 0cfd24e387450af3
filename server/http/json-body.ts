import { isUtf8 } from 'node:buffer'
import type { FastifyInstance } from 'fastify'
import { Refusal } from './refusal.ts'

/** No form of ours goes deeper than two; whoever nests further wants to exhaust whatever walks through it. */
export const MAX_JSON_DEPTH = 16

/**
 * Bodies are JSON, and multipart for photos. Bytes that are no UTF-8 are refused and not replaced: what is stored is
 * what was sent.
 */
export function readJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (!isUtf8(body)) return done(new Refusal('invalid', 'The body must be UTF-8'))
    if (isDeep(body)) return done(new Refusal('invalid', 'The body is nested too deeply'))
    parse(request, body.toString(), done)
  })
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c]
const OPENING = new Set([0x5b, 0x7b])
const CLOSING = new Set([0x5d, 0x7d])

/** Counts brackets outside of strings, before anything is built of them. */
function isDeep(json: Buffer): boolean {
  let depth = 0
  let inString = false
  for (let at = 0; at < json.length; at++) {
    const byte = json[at] ?? 0
    if (inString) {
      if (byte === BACKSLASH) at++
      else if (byte === QUOTE) inString = false
    } else if (byte === QUOTE) inString = true
    else if (OPENING.has(byte)) {
      depth += 1
      if (depth > MAX_JSON_DEPTH) return true
    } else if (CLOSING.has(byte)) depth -= 1
  }
  return false
}
