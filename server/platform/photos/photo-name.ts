import { randomBytes } from 'node:crypto'

// Letters that mean nothing to any file system or address: with them no name leads out of its folder.
const NAME = /^[A-Za-z0-9_-]{22,64}$/

/** A fresh name, too random to be guessed: 24 characters of 144 bits. */
export function newPhotoName(): string {
  return randomBytes(18).toString('base64url')
}

/** Whether a text, from an address for example, can be the name of a photo. */
export function isPhotoName(name: string): boolean {
  return NAME.test(name)
}
