import type { FastifyRequest } from 'fastify'
import { Refusal } from './refusal.ts'

const CHECK_MS = 1000

/**
 * Watches a body that is read as a stream: who sends more than so many bytes of it, or nothing any more, is hung up on. A
 * length that is announced and too large is refused (413) before anything is read.
 * @returns what ends the watch
 */
export function watchBody({ raw, headers, server }: FastifyRequest, bytes: number): () => void {
  const { stallMs } = server
  if (Number(headers['content-length'] ?? 0) > bytes) {
    throw new Refusal('too_large', 'The request is too large')
  }
  let [received, heardAt] = [0, Date.now()]
  const count = (chunk: Buffer) => {
    received += chunk.length
    heardAt = Date.now()
    if (received > bytes) raw.destroy()
  }
  const check = () => {
    // Whoever waits for us is not slow.
    if (raw.isPaused() || raw.complete) heardAt = Date.now()
    else if (Date.now() - heardAt > stallMs) raw.destroy()
  }
  raw.on('data', count)
  const timer = setInterval(check, Math.min(CHECK_MS, stallMs)).unref()
  return () => {
    clearInterval(timer)
    raw.off('data', count)
  }
}
