import { validate as isUuid, v7 as uuidv7 } from 'uuid'
import type { NewPaymentMethod, PaymentMethod } from '#contract/payment-methods.ts'
import {
  accountNumberProblem,
  accountProblem,
  MAX_PAYMENT_METHODS,
  maskedBankAccountInfo,
  type PaymentType,
  routingNumberProblem,
} from '#domain/payment-methods.ts'
import type { Context } from '#server/context.ts'
import { lockAccount, notifyOwner } from '#server/features/people/accounts/actions.ts'
import type { Seller } from '#server/http/actor.ts'
import { invalid, notFound } from '#server/http/refusal.ts'
import type { Transaction } from '#server/platform/database/pool.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { VaultError } from '#server/platform/vault/seal.ts'
import * as queries from './queries.ts'
import { type OpenedMethod, openMethod, sealMethod } from './secrets.ts'

/** The seller's own payment methods, newest first. */
export async function listPaymentMethods(context: Context, seller: Seller): Promise<PaymentMethod[]> {
  const rows = await queries.listMethods(context.db, seller.id)
  return rows.map((row) => toPaymentMethod(row, context))
}

/** Saves a payment method; the first one is the default, whatever was asked. The owner is mailed. */
export async function addPaymentMethod(
  context: Context,
  seller: Seller,
  fields: NewPaymentMethod,
): Promise<PaymentMethod> {
  const { db, keys } = context
  const id = uuidv7()
  const sealed = sealMethod(keys, id, fields)
  const row = await transaction(db, async (tx) => {
    // Locked: of two at once only one is the first, and only one the twentieth.
    const lockedUser = await lockAccount(tx, seller.id)
    const saved = await queries.countMethods(tx, seller.id)
    if (saved >= MAX_PAYMENT_METHODS) throw tooMany()
    const isDefault = saved === 0 || fields.isDefault === true
    if (isDefault) await queries.clearDefault(tx, seller.id)
    await notifyOwner(tx, lockedUser, { kind: 'paymentMethodAdded', type: fields.type })
    const { type, accountName } = fields
    return queries.insertMethod(tx, { id, userId: seller.id, type, accountName, isDefault, ...sealed })
  })
  return toPaymentMethod(row, context)
}

const tooMany = () =>
  invalid([{ path: 'type', message: `At most ${MAX_PAYMENT_METHODS} payment methods can be saved` }])

/** Removes one for good; after the default one the newest other becomes it. The owner is mailed. */
export async function deletePaymentMethod({ db }: Context, seller: Seller, id: string): Promise<void> {
  await transaction(db, async (tx) => {
    const lockedUser = await lockAccount(tx, seller.id)
    const deleted = await queries.deleteMethod(tx, seller.id, id)
    if (!deleted) throw notFound()
    if (deleted.isDefault) await queries.makeNewestDefault(tx, seller.id)
    await notifyOwner(tx, lockedUser, { kind: 'paymentMethodRemoved', type: deleted.type })
  })
}

/** Removes what was added to an account while somebody else had it. */
export function removeMethodsSince(tx: Transaction, userId: string, since: Date): Promise<void> {
  return queries.deleteMethodsSince(tx, userId, since)
}

/** Removes every method of an account. @returns whether it had any */
export function removeAllMethods(tx: Transaction, userId: string): Promise<boolean> {
  return queries.deleteAllMethods(tx, userId)
}

/** A saved method as the fields of a submission; for a bank transfer its numbers, else its information. */
export interface OpenedPaymentMethod {
  readonly paymentType: PaymentType
  readonly paymentAccountName: string
  readonly paymentAccountInfo?: string
  readonly paymentRoutingNumber?: string
  readonly paymentAccountNumber?: string
}

/** Opens a saved method of the seller's own for a submission. Throws `Refusal` (400) when there is no such one. */
export async function openPaymentMethod(
  context: Context,
  seller: Seller,
  id: string,
): Promise<OpenedPaymentMethod> {
  const row = isUuid(id) ? await queries.findMethod(context.db, seller.id, id) : undefined
  if (!row) {
    throw invalid([{ path: 'paymentMethodId', message: 'This saved payment method does not exist any more' }])
  }
  const opened = tryToOpen(row, context)
  if (!opened)
    throw invalid([{ path: 'paymentMethodId', message: `This saved payment method ${UNREADABLE}` }])
  const { accountInfo, bank } = opened
  const problem = problemOf(row.type, opened)
  if (problem) throw invalid([{ path: 'paymentMethodId', message: `${UNUSABLE} ${problem}.` }])
  return {
    paymentType: row.type,
    paymentAccountName: row.accountName,
    ...(bank
      ? { paymentRoutingNumber: bank.routingNumber, paymentAccountNumber: bank.accountNumber }
      : { paymentAccountInfo: accountInfo }),
  }
}

/** One that doesn't open says so and can be removed; it must not hide the others. */
function toPaymentMethod(row: queries.MethodRow, context: Context): PaymentMethod {
  const { id, userId, type, accountName, isDefault, isActive, createdAt } = row
  const opened = tryToOpen(row, context)
  const problem = opened && problemOf(type, opened)
  return {
    id,
    userId,
    type,
    accountInfo: opened ? shownInfo(opened) : `It ${UNREADABLE}`,
    accountName,
    isDefault,
    isActive: isActive && opened !== undefined && !problem,
    problem: problem ? `${UNUSABLE} ${problem}.` : null,
    createdAt: createdAt.toISOString(),
  }
}

const UNUSABLE = 'This saved account cannot be used. Please remove it and add it again.'

/** What is wrong with an account that was saved before accounts were checked. */
function problemOf(type: PaymentType, { accountInfo, bank }: OpenedMethod): string | undefined {
  return bank
    ? (routingNumberProblem(bank.routingNumber) ?? accountNumberProblem(bank.accountNumber))
    : accountProblem(type, accountInfo)
}

const UNREADABLE = 'cannot be read. Please remove it and add it again.'

function shownInfo({ accountInfo, bank }: OpenedMethod): string {
  return bank ? maskedBankAccountInfo(bank) : accountInfo
}

/** Undefined when the row was tampered with, which the operator reads in the log. */
function tryToOpen(row: queries.MethodRow, { keys, log }: Context): OpenedMethod | undefined {
  try {
    return openMethod(keys, row)
  } catch (err) {
    if (!(err instanceof VaultError)) throw err
    log.error({ err, paymentMethod: row.id }, 'a payment method does not open')
    return undefined
  }
}
