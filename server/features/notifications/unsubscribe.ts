import { timingSafeEqual } from 'node:crypto'
import { type NotificationKind, notificationKinds } from '#domain/notifications.ts'
import type { KeyRing } from '#server/platform/vault/key-ring.ts'
import { blindIndex } from '#server/platform/vault/seal.ts'

/** What the link in an email turns off. */
export interface Unsubscription {
  readonly userId: string
  readonly kind: NotificationKind
}

/** The token of the link: it needs no table, never expires, and works for this seller and kind only. */
export function unsubscribeToken(keys: KeyRing, { userId, kind }: Unsubscription): string {
  return `${userId}.${kind}.${signatureOf(keys, userId, kind).toString('base64url')}`
}

/** Undefined if we did not make the token. */
export function readUnsubscribeToken(keys: KeyRing, token: string): Unsubscription | undefined {
  const [userId = '', name = '', signature = ''] = token.split('.')
  const kind = notificationKinds.find((known) => known === name)
  if (!kind) return undefined
  const [given, expected] = [Buffer.from(signature, 'base64url'), signatureOf(keys, userId, kind)]
  const isOurs = given.length === expected.length && timingSafeEqual(given, expected)
  return isOurs ? { userId, kind } : undefined
}

function signatureOf(keys: KeyRing, userId: string, kind: NotificationKind): Buffer {
  return blindIndex(keys, 'unsubscribe', `${userId}.${kind}`)
}
