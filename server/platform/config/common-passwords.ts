import { createRequire } from 'node:module'
import { PASSWORD_LENGTH } from '#domain/password.ts'

let known: ReadonlySet<string> | undefined

/** Whether the password is commonly leaked. Loads the list at the first call. */
export function isCommonPassword(password: string): boolean {
  known ??= readList()
  return known.has(password.toLowerCase())
}

function readList(): ReadonlySet<string> {
  const require = createRequire(import.meta.url)
  const { dictionary }: typeof import('@zxcvbn-ts/language-common') = require('@zxcvbn-ts/language-common')
  return new Set(dictionary['passwords-common'].filter((word) => word.length >= PASSWORD_LENGTH.min))
}
