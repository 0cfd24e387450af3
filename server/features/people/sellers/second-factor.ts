import type { Context } from '#server/context.ts'
import { record } from '#server/features/audit/actions.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { codeRefusal, countRecoveryCodes, passSecondFactor, removeApp } from '../credentials/second-factor.ts'
import { enqueueSecurityEmail, lockAccount, lockUser, wrongCredentials } from './account.ts'

/**
 * The second step of a seller's sign-in, after the password. Emails the owner about a used recovery code. Throws `Refusal` if a
 * code is needed and missing or wrong.
 * @returns false if the second factor is off, whatever the code
 */
export async function requireCode(context: Context, id: string, code: string | undefined): Promise<boolean> {
  const result = await transaction(context.db, async (tx) => {
    const user = await lockUser(tx, id)
    if (!user || user.deletedAt) throw wrongCredentials()
    const result = await passSecondFactor(tx, context, id, code)
    if (result === 'recovery code') {
      const left = await countRecoveryCodes(tx, id)
      await enqueueSecurityEmail(tx, user, { kind: 'recoveryCodeUsed', left })
    }
    return result
  })
  if (result === 'missing' || result === 'wrong' || result === 'paused') throw codeRefusal(result)
  return result !== undefined
}

/** For sellers who have lost the app and the recovery codes. Emails the owner. Returns false if it was off. */
export async function resetSecondFactor({ db }: Pick<Context, 'db'>, id: string): Promise<boolean> {
  return transaction(db, async (tx) => {
    const user = await lockAccount(tx, id)
    if (!(await removeApp(tx, id))) return false
    await enqueueSecurityEmail(tx, user, { kind: 'secondFactorOff' })
    await record(tx, {
      actor: { kind: 'system' },
      action: 'seller.totp_reset',
      subject: { kind: 'seller', id },
      details: { by: 'command line' },
    })
    return true
  })
}
