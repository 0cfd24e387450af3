import { Refusal } from '#server/http/refusal.ts'
import type { Executor, Transaction } from '#server/platform/database/pool.ts'
import type { KeyRing } from '#server/platform/vault/key-ring.ts'
import { blindIndex } from '#server/platform/vault/seal.ts'
import { hashToken } from '../sessions/token.ts'
import * as queries from './token-queries.ts'

/** How long a mailed link works. Somebody on holiday finds the news of a changed e-mail days later. */
const lifetimeSeconds: Readonly<Record<queries.Purpose, number>> = {
  reset_password: 3600,
  restore_email: 7 * 24 * 3600,
  confirm_email: 7 * 24 * 3600,
}

/**
 * The secret part of a mailed link: 256 bits that only the keys can make of the row's id. So a job that mails
 * it again mails the same one, and neither table nor job ever holds it.
 */
export function tokenOf(keys: KeyRing, id: string): string {
  return blindIndex(keys, 'account_token', id).toString('base64url')
}

/** Writes down a link that `tokenOf` makes the token of; the id again is the same link, alive anew if unused. */
export async function createToken(
  tx: Transaction,
  keys: KeyRing,
  {
    id,
    ...of
  }: { id: string; userId: string; purpose: queries.Purpose; email: string; emailVerified?: boolean },
): Promise<void> {
  const token = { id, ...of, tokenHash: hashToken(tokenOf(keys, id)) }
  await queries.insertToken(tx, token, lifetimeSeconds[of.purpose])
}

/** What a token was given out for. Throws `Refusal` unless it is of this kind, unused and in its time. */
export async function readToken(
  db: Executor,
  purpose: queries.Purpose,
  token: string,
): Promise<queries.TokenRow> {
  const found = await queries.findUsableToken(db, purpose, hashToken(token))
  if (!found) throw linkRefused(purpose)
  return found
}

/** Uses a token up. Throws `Refusal` when somebody else was faster. */
export async function useToken(tx: Transaction, { id, purpose }: queries.TokenRow): Promise<void> {
  if (!(await queries.markUsed(tx, id))) throw linkRefused(purpose)
}

const whatToDo: Readonly<Record<queries.Purpose, string>> = {
  reset_password: 'Please ask for a new one.',
  restore_email: 'Please contact support.',
  confirm_email: 'Your profile can send you a new one.',
}

function linkRefused(purpose: queries.Purpose): Refusal {
  const message = `This link was used already or is too old. ${whatToDo[purpose]}`
  return new Refusal('invalid', message, { errors: [{ path: 'token', message }] })
}
