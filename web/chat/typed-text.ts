import { looksLikeCardNumber } from '#domain/card-number.ts'
import { readStored, writeStored } from '#web/kit/store.ts'

const keyOf = (name: string) => `typed:${name}`

/** Text that was typed but not sent. It lasts as long as the tab. */
export const readTyped = (name: string): string => readStored('sessionStorage', keyOf(name)) ?? ''

/** @param text is not kept if it looks like it has a card number, which is a secret. Empty to forget what was kept */
export function keepTyped(name: string, text: string): void {
  writeStored('sessionStorage', keyOf(name), looksLikeCardNumber(text) ? null : text || null)
}
