import { PASSWORD_LENGTH } from '#contract/accounts.ts'

let known: Promise<ReadonlySet<string>> | undefined

/** Whether the password is one of the commonly leaked ones; the list is read at the first question. */
export async function isCommonPassword(password: string): Promise<boolean> {
  known ??= readList()
  return (await known).has(password.toLowerCase())
}

async function readList(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set(dictionary['passwords-common'].filter((word) => word.length >= PASSWORD_LENGTH.min))
}
