import { createHmac } from 'node:crypto'
import type { Seller } from '#server/http/actor.ts'
import type { KeyRing } from '#server/platform/vault/key-ring.ts'

/**
 * The key that seals the drafts of a session in its browser, in base64. Nothing stores it: it follows from the session, so
 * nobody gets it again once the session has ended.
 */
export function draftKeyOf(keys: KeyRing, { sid }: Seller): string {
  return createHmac('sha256', keys.index).update(`draft ${sid}`).digest('base64')
}
