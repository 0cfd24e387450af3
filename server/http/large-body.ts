import type { FastifyRequest } from 'fastify'
import { Refusal } from './refusal.ts'

/** What a body must bring on average in each window of `stallMs`. A phone on EDGE sends 5,000 to 20,000. */
export const MIN_BYTES_PER_SECOND = 4_000
const CHECK_MS = 1000

/**
 * Watches a body that is read as a stream, and hangs up on a sender that is slower than `MIN_BYTES_PER_SECOND` or sends more
 * than `bytes`. An announced length that is too large is refused (413) before anything is read.
 * @returns what ends the watch
 */
export function watchBody({ raw, headers, server }: FastifyRequest, bytes: number): () => void {
  const { stallMs } = server
  if (Number(headers['content-length'] ?? 0) > bytes) {
    throw new Refusal('too_large', 'The request is too large')
  }
  let received = 0
  let window = { bytes: 0, ms: 0 }
  const count = (chunk: Buffer) => {
    received += chunk.length
    window.bytes += chunk.length
    if (received > bytes) raw.destroy()
  }
  const checkMs = Math.min(CHECK_MS, stallMs)
  const check = () => {
    // A sender that waits for us is not slow.
    if (raw.isPaused() || raw.complete) return
    window.ms += checkMs
    if (window.ms < stallMs) return
    if (window.bytes < (MIN_BYTES_PER_SECOND * window.ms) / 1000) raw.destroy()
    window = { bytes: 0, ms: 0 }
  }
  raw.on('data', count)
  const timer = setInterval(check, checkMs).unref()
  return () => {
    clearInterval(timer)
    raw.off('data', count)
  }
}
