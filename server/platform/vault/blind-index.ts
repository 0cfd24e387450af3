import { createHmac } from 'node:crypto'
import { encodeParts } from './context.ts'
import type { KeyRing } from './key-ring.ts'

/**
 * A keyed fingerprint (HMAC-SHA256, 32 bytes) by which equal values are found without opening them. Who holds
 * the database alone cannot try numbers against it. Pass values in their one spelling (for cards
 * `normalizeCardNumber`); `purpose` keeps indexes of different kinds from being matched with one another.
 */
export function blindIndex(ring: KeyRing, purpose: string, value: string): Buffer {
  return createHmac('sha256', ring.index).update(encodeParts(purpose, value)).digest()
}
