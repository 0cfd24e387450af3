import { and, desc, eq } from 'drizzle-orm'
import { validate as isUuid, v7 as uuidv7 } from 'uuid'
import type { NewPaymentMethod, PaymentMethodAnswer } from '#contract/payment-methods.ts'
import {
  type AccountType,
  accountNumberProblem,
  accountProblem,
  type BankAccount,
  bankAccountInfo,
  isRoutingNumber,
  MAX_PAYMENT_METHODS,
  maskAccountInfo,
  maskedBankAccountInfo,
  type PaymentType,
  routingNumberProblem,
} from '#domain/payment-methods.ts'
import type { Context } from '#server/context.ts'
import {
  deleteMethods,
  enqueueSecurityEmail,
  lockAccount,
} from '#server/features/accounts/sellers/account.ts'
import {
  accountIndex,
  findRefusedBefore,
  findReturns,
  requireNotRefused,
} from '#server/features/books/dead-accounts.ts'
import type { Seller } from '#server/http/actor.ts'
import { invalid, notFound, type RefusedField, toFieldError } from '#server/http/refusal.ts'
import type { Transaction } from '#server/platform/database/pool.ts'
import { onlyRow } from '#server/platform/database/queries.ts'
import { paymentMethods as methods } from '#server/platform/database/schema.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import type { KeyRing } from '#server/platform/vault/key-ring.ts'
import { openRow, sealRow, VaultError } from '#server/platform/vault/seal.ts'
import type { Translate } from '#words/translate.ts'

type MethodRow = typeof methods.$inferSelect

/** The seller's own payment methods, newest first. */
export async function listPaymentMethods(
  context: Context,
  seller: Seller,
  words: Translate,
): Promise<PaymentMethodAnswer[]> {
  const rows = await context.db
    .select()
    .from(methods)
    .where(eq(methods.userId, seller.id))
    .orderBy(desc(methods.id))
  const refused = await findRefusedBefore(context.db, context.keys, seller.id)
  const cameBackAt = await findReturns(context, seller.id)
  return rows.map((row) => {
    const method = toPaymentMethod(row, context, words, refused)
    return { ...method, cameBackAt: cameBackAt(method.type, hintOf(method)) }
  })
}

const hintOf = ({ type, accountInfo }: PaymentMethodAnswer): string =>
  type === 'bank_transfer' ? accountInfo : maskAccountInfo(accountInfo)

/**
 * Saves a payment method and emails the owner. The first one becomes the default, as does a usable one if the default cannot be used.
 * A saved one with the same account and another holder is corrected instead.
 */
export async function addPaymentMethod(
  context: Context,
  seller: Seller,
  fields: NewPaymentMethod,
  words: Translate,
): Promise<PaymentMethodAnswer> {
  const { db, keys, site } = context
  const { type, accountName: holder } = fields
  if (!site.payoutMethods.includes(type)) {
    throw invalid([{ path: 'type', code: 'payment_method_type_required' }])
  }
  const bank = bankOf(fields)
  const info = bank ? bankAccountInfo(bank) : (fields.accountInfo ?? '')
  await requireNotRefused(db, keys, seller.id, {
    type,
    info,
    path: bank ? 'accountNumber' : 'accountInfo',
  })
  const row = await transaction(db, async (tx) => {
    const lockedUser = await lockAccount(tx, seller.id)
    const hint = bank ? maskedBankAccountInfo(bank) : maskAccountInfo(info)
    await enqueueSecurityEmail(tx, lockedUser, { kind: 'paymentMethodAdded', type, hint, holder }, seller.sid)
    return saveMethod(tx, context, seller, fields, words)
  })
  return toPaymentMethod(row, context, words)
}

/**
 * The same without an email and without asking whether the account was refused before. The caller has locked the account, so that
 * concurrent requests cannot exceed the maximum or both become the default.
 */
export async function saveMethod(
  tx: Transaction,
  context: Context,
  seller: Pick<Seller, 'id'>,
  fields: NewPaymentMethod,
  words: Translate,
): Promise<MethodRow> {
  const { keys } = context
  const { type, accountName, accountType = 'checking' } = fields
  const bank = bankOf(fields)
  const info = bank ? bankAccountInfo(bank) : (fields.accountInfo ?? '')
  const isNewUsable = !bank || isRoutingNumber(bank.routingNumber)
  const refused = await findRefusedBefore(tx, keys, seller.id)
  const saved = await tx.select().from(methods).where(eq(methods.userId, seller.id))
  const renamed = saved.find(
    (row) => row.type === type && row.accountName !== accountName && isAccountOf(context, row, info),
  )
  if (!renamed && saved.length >= MAX_PAYMENT_METHODS) throw tooMany()
  const current = saved.find((row) => row.isDefault)
  const isCurrentUsable = current && isUsable(toPaymentMethod(current, context, words, refused))
  const isAsked = fields.isDefault === true
  const isDefault =
    renamed?.isDefault ||
    (isCurrentUsable ? isNewUsable && isAsked : isNewUsable || isAsked || saved.length === 0)
  if (isDefault) await clearDefault(tx, seller.id)
  if (renamed) {
    const corrected = { accountName, accountType, isDefault }
    return onlyRow(await tx.update(methods).set(corrected).where(eq(methods.id, renamed.id)).returning())
  }
  const id = uuidv7()
  const method = { id, userId: seller.id, type, accountName, accountType, isDefault }
  return onlyRow(
    await tx
      .insert(methods)
      .values({ ...method, ...sealMethod(keys, id, fields) })
      .returning(),
  )
}

/** Whether it can be paid, so that it may be the default. */
const isUsable = ({ isActive, routingNumberSuspect }: PaymentMethodAnswer) =>
  isActive && !routingNumberSuspect

function isAccountOf(context: Context, row: MethodRow, info: string): boolean {
  const opened = tryToOpen(row, context)
  const index = opened && accountIndex(context.keys, row.type, opened.accountInfo)
  return index != null && accountIndex(context.keys, row.type, info)?.equals(index) === true
}

const tooMany = () =>
  invalid([{ path: 'type', code: 'payment_methods_full', params: { maximum: MAX_PAYMENT_METHODS } }])

/** Makes a payment method the default, and emails the owner. Throws `Refusal` (400) if it cannot be paid. */
export async function setDefaultMethod(
  context: Context,
  seller: Seller,
  id: string,
  words: Translate,
): Promise<PaymentMethodAnswer> {
  const { paymentRoutingNumber } = await openPaymentMethod(context, seller, id)
  if (paymentRoutingNumber && !isRoutingNumber(paymentRoutingNumber)) {
    throw invalid([{ path, code: 'routing_number_wrong' }])
  }
  return transaction(context.db, async (tx) => {
    const lockedUser = await lockAccount(tx, seller.id)
    await makeDefault(tx, seller.id, id)
    const [row] = await tx
      .select()
      .from(methods)
      .where(and(eq(methods.id, id), eq(methods.userId, seller.id)))
    if (!row) throw notFound()
    const method = toPaymentMethod(row, context, words)
    const { type, accountName: holder } = method
    const notice = { kind: 'paymentMethodDefault', type, hint: hintOf(method), holder } as const
    await enqueueSecurityEmail(tx, lockedUser, notice, seller.sid)
    return method
  })
}

/** Deletes a payment method and emails the owner. If it was the default, the newest remaining one becomes the default. */
export async function deletePaymentMethod(context: Context, seller: Seller, id: string): Promise<void> {
  await transaction(context.db, async (tx) => {
    const lockedUser = await lockAccount(tx, seller.id)
    const [deleted] = await deleteMethods(tx, seller.id, eq(methods.id, id))
    if (!deleted) throw notFound()
    const opened = tryToOpen(deleted, context)
    const hint =
      opened && (opened.bank ? maskedBankAccountInfo(opened.bank) : maskAccountInfo(opened.accountInfo))
    const notice = { kind: 'paymentMethodRemoved', type: deleted.type, ...(hint && { hint }) } as const
    await enqueueSecurityEmail(tx, lockedUser, notice, seller.sid)
  })
}

/** A saved method as the fields of a submission. */
export interface OpenedPaymentMethod {
  readonly paymentType: PaymentType
  readonly paymentAccountName: string
  /** Not for a bank transfer, which has the two numbers. */
  readonly paymentAccountInfo?: string
  readonly paymentRoutingNumber?: string
  readonly paymentAccountNumber?: string
  readonly paymentAccountType?: AccountType
}

/** Decrypts one of the seller's own methods for a submission. Throws `Refusal` (400) if it cannot be used. */
export async function openPaymentMethod(
  context: Context,
  seller: Seller,
  id: string,
): Promise<OpenedPaymentMethod> {
  const isOwn = and(eq(methods.id, id), eq(methods.userId, seller.id))
  const [row] = isUuid(id) ? await context.db.select().from(methods).where(isOwn) : []
  const opened = row && tryToOpen(row, context)
  if (!row) throw invalid([{ path, code: 'payment_method_gone' }])
  if (!opened) throw invalid([{ path, code: 'payment_method_unreadable' }])
  const { accountInfo, bank } = opened
  const problem =
    problemOf(row.type, opened, context) ??
    refusedBefore(row.type, opened, await findRefusedBefore(context.db, context.keys, seller.id))
  if (problem) throw invalid([problem])
  return {
    paymentType: row.type,
    paymentAccountName: row.accountName,
    ...(bank
      ? {
          paymentRoutingNumber: bank.routingNumber,
          paymentAccountNumber: bank.accountNumber,
          paymentAccountType: row.accountType,
        }
      : { paymentAccountInfo: accountInfo }),
  }
}

const path = 'paymentMethodId'

/** A method that cannot be decrypted says so and can be removed. It must not hide the others. */
function toPaymentMethod(
  row: MethodRow,
  context: Context,
  words: Translate,
  refused?: FindRefused,
): PaymentMethodAnswer {
  const { type, isActive } = row
  const opened = tryToOpen(row, context)
  const problem =
    opened && (problemOf(type, opened, context) ?? (refused && refusedBefore(type, opened, refused)))
  return {
    ...row,
    accountInfo: opened ? shownInfo(opened) : words('apiFields.saved_method_unreadable'),
    accountType: type === 'bank_transfer' ? row.accountType : null,
    isActive: isActive && opened !== undefined && !problem,
    routingNumberSuspect: opened?.bank !== undefined && !isRoutingNumber(opened.bank.routingNumber),
    problem: problem ? toFieldError(problem, words).message : null,
  }
}

/** Why an account that was accepted before cannot be used now. */
function problemOf(
  type: PaymentType,
  { accountInfo, bank }: OpenedMethod,
  { site }: Context,
): RefusedField | undefined {
  if (!site.payoutMethods.includes(type)) return { path, code: 'payment_method_dropped' }
  const problem = bank
    ? (routingNumberProblem(bank.routingNumber) ?? accountNumberProblem(bank.accountNumber))
    : accountProblem(type, accountInfo)
  return (
    problem && {
      path,
      code: 'payment_method_unusable',
      params: (t) => ({ problem: t(`fields.${problem}`) }),
    }
  )
}

type FindRefused = Awaited<ReturnType<typeof findRefusedBefore>>

function refusedBefore(type: PaymentType, opened: OpenedMethod, find: FindRefused): RefusedField | undefined {
  // The account information of a bank transfer is composed from its numbers.
  return find({ type, info: opened.accountInfo, path })
}

function shownInfo({ accountInfo, bank }: OpenedMethod): string {
  return bank ? maskedBankAccountInfo(bank) : accountInfo
}

/** Returns undefined and logs an error if the row was tampered with. */
function tryToOpen(row: MethodRow, { keys, log }: Context): OpenedMethod | undefined {
  try {
    return openMethod(keys, row)
  } catch (err) {
    if (!(err instanceof VaultError)) throw err
    log.error({ err, paymentMethod: row.id }, 'a payment method cannot be decrypted')
    return undefined
  }
}

/** Makes one of the seller's methods the default. The account is locked. */
export async function makeDefault(tx: Transaction, userId: string, id: string): Promise<void> {
  await clearDefault(tx, userId)
  await tx
    .update(methods)
    .set({ isDefault: true })
    .where(and(eq(methods.id, id), eq(methods.userId, userId)))
}

async function clearDefault(tx: Transaction, userId: string): Promise<void> {
  await tx
    .update(methods)
    .set({ isDefault: false })
    .where(and(eq(methods.userId, userId), eq(methods.isDefault, true)))
}

const rowOf = (row: string) => ({ table: 'payment_methods', row })

/** The secret columns of a new row, encrypted with a key for this row. */
function sealMethod(keys: KeyRing, id: string, fields: NewPaymentMethod) {
  const bank = bankOf(fields)
  const { dataKey, sealed } = sealRow(keys, rowOf(id), {
    account_info: bank ? bankAccountInfo(bank) : (fields.accountInfo ?? ''),
    routing_number: bank?.routingNumber ?? null,
    account_number: bank?.accountNumber ?? null,
  })
  return {
    dataKey,
    accountInfo: sealed.account_info ?? Buffer.alloc(0),
    routingNumber: sealed.routing_number,
    accountNumber: sealed.account_number,
  }
}

function bankOf({ type, routingNumber, accountNumber }: NewPaymentMethod): BankAccount | undefined {
  if (type !== 'bank_transfer' || !routingNumber || !accountNumber) return undefined
  return { routingNumber, accountNumber }
}

interface OpenedMethod {
  readonly accountInfo: string
  /** Only for a bank transfer. */
  readonly bank?: BankAccount
}

/** Throws `VaultError` if the row was tampered with. */
function openMethod(keys: KeyRing, row: MethodRow): OpenedMethod {
  const opened = openRow(keys, rowOf(row.id), row.dataKey, {
    account_info: row.accountInfo,
    routing_number: row.routingNumber,
    account_number: row.accountNumber,
  })
  const { routing_number: routingNumber, account_number: accountNumber } = opened
  const bank = routingNumber !== null && accountNumber !== null ? { routingNumber, accountNumber } : undefined
  return { accountInfo: opened.account_info ?? '', ...(bank && { bank }) }
}
