import { sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { toDollars } from '#domain/money.ts'
import type { Context } from '#server/context.ts'
import { anonymizeAccount, listAddresses, wrongPassword } from '#server/features/accounts/own-data.ts'
import { lockAccount } from '#server/features/accounts/sellers/account.ts'
import { record, redact } from '#server/features/audit/actions.ts'
import { lockReceivable } from '#server/features/books/ledger.ts'
import { deleteChats } from '#server/features/chat/own-data.ts'
import {
  deleteSubmissions,
  findOpenSubmissions,
  hasHold,
  lockSubmissions,
  removeFiles,
} from '#server/features/submissions/own-data.ts'
import { Refusal, type RefusedField } from '#server/http/refusal.ts'
import type { Transaction } from '#server/platform/database/pool.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { enqueue } from '#server/platform/jobs/jobs.ts'
import { publish } from '#server/platform/live/publish.ts'
import { ownTables } from './tables.ts'

type Tools = Pick<Context, 'db' | 'keys' | 'passwords' | 'photos'>

interface Deletion {
  readonly id: string
  readonly by: 'seller' | 'command line'
  /** The hash that the seller's password was compared with. */
  readonly checkedHash?: string
}

/**
 * Deletes a seller's account, with one last email. Rows of `keptTables` stay if money moved. Throws `open_business` with what is
 * still open.
 */
export async function deleteAccount(context: Tools, { id, by, checkedHash }: Deletion): Promise<void> {
  // Nobody knows the password of what stays.
  const passwordHash = await context.passwords.hash(uuidv7())
  const files = await transaction(context.db, async (tx) => {
    await lockSubmissions(tx, id)
    const user = await lockAccount(tx, id)
    if (checkedHash !== undefined && user.passwordHash !== checkedHash) throw wrongPassword()
    const open = await findOpenBusiness(tx, id)
    if (open.length > 0) throw new Refusal('open_business', 'refusals.open_business', { errors: open })
    const addresses = await listAddresses(tx, user)
    const redacted = await redact(tx, user)
    const { threads, files: chatFiles } = await deleteChats(tx, id)
    await deleteJobs(tx, { id, texts: [...addresses, ...threads] })
    await anonymizeAccount(tx, id, passwordHash)
    const { kept, files } = await deleteSubmissions(tx, context.keys, id)
    for (const [table, column] of Object.entries(ownTables)) {
      await tx.execute(sql`delete from ${sql.identifier(table)} where ${sql.identifier(column)} = ${id}`)
    }
    if (kept === 0) await tx.execute(sql`delete from users where id = ${id}`)
    const { email: to, locale } = user
    await enqueue(tx, 'accountDeletedMail', uuidv7(), { to, addresses, locale })
    await record(tx, {
      actor: { kind: 'system' },
      action: 'seller.deleted',
      subject: { kind: 'seller', id },
      details: { by, keptSubmissions: kept, redacted },
    })
    await publish(tx, [{ to: 'staff', message: { type: 'SUBMISSIONS_CLEARED' } }])
    return [...files, ...chatFiles]
  })
  await removeFiles(context, files)
}

async function findOpenBusiness(tx: Transaction, id: string): Promise<RefusedField[]> {
  const open = await findOpenSubmissions(tx, id)
  const balance = await lockReceivable(tx, id)
  if (balance !== 0) {
    const code = balance > 0 ? 'open_receivable' : 'open_credit'
    open.push({ path: 'account', code, params: { amount: toDollars(Math.abs(balance)) } })
  }
  if (await hasHold(tx, id)) open.push({ path: 'account', code: 'open_hold' })
  return open
}

/**
 * Jobs that name the seller, an address of theirs, or a submission, payout, sale or conversation of theirs. Jobs of other
 * accounts stay, even if the seller once entered their address: those with another `userId`, and last emails.
 */
async function deleteJobs(
  tx: Transaction,
  { id, texts }: { id: string; texts: readonly string[] },
): Promise<void> {
  await tx.execute(sql`
    with own (name) as (
      select unnest(${sql.param([id, ...texts])}::text[])
      union select id::text from gift_cards where seller_id = ${id}
      union select id::text from payouts where seller_id = ${id}
      union select id::text from sales where seller_id = ${id}
    )
    delete from jobs where kind <> 'accountDeletedMail' and coalesce(payload->>'userId', ${id}) = ${id}
      and exists (select from jsonb_each_text(payload), own where lower(value) = own.name)`)
}
