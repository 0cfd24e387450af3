import type { PaymentType } from './payment-methods.ts'
import { type FileKind, fileKindOf } from './payout.ts'

/** Payout accounts that are not paid again, because a bank or service refused them. */

/**
 * Who can no longer be paid to a refused account. `everyone`: the code is about the account itself. `seller`: the code also depends on
 * the name of the holder, so the account may be fine for another seller.
 */
type Scope = 'everyone' | 'seller'

/**
 * What the codes of returns (R) and notifications of change (C) say about an account. Codes about one payment, such as R06, R23 or R24,
 * are not here. Nor are PayPal's FAILED, DENIED and BLOCKED: they can mean that the sender has no money.
 * Sources: NACHA Operating Rules, Appendices Four and Five, as listed at https://moov-io.github.io/ach/returns/ and
 * https://moov-io.github.io/ach/changes/, and https://developer.paypal.com/api/payments.payouts-batch/v1/definitions/transaction_enum
 */
const scopes: Readonly<Record<FileKind, Readonly<Record<string, Scope>>>> = {
  nacha: {
    /** Account closed. */
    R02: 'everyone',
    /** No account has this number and name. */
    R03: 'seller',
    /** The account number has an invalid structure. */
    R04: 'everyone',
    /** The account moved to another bank. */
    R12: 'everyone',
    /** No ACH bank has the routing number. */
    R13: 'everyone',
    /** The representative payee died or cannot continue. */
    R14: 'everyone',
    /** The holder died. */
    R15: 'everyone',
    /** Account frozen. */
    R16: 'everyone',
    /** The account cannot receive transfers. */
    R20: 'everyone',
    /** The check digit of the routing number is wrong. */
    R28: 'everyone',
    /** The account number has changed. From now on payments have to use the correction, as after the next four codes. */
    C01: 'everyone',
    /** The routing number has changed. */
    C02: 'everyone',
    /** Both numbers have changed. */
    C03: 'everyone',
    /** The account number and the type of account have changed. */
    C06: 'everyone',
    /** The routing number, the account number and the type of account have changed. */
    C07: 'everyone',
  },
  paypal: {
    /** Nobody claimed the payment within 30 days. */
    RETURNED: 'seller',
  },
  worksheet: {},
}

/** The scope of a dead account after this code of its bank or service. Undefined if the account can be paid again. */
export function deadFor(type: PaymentType, code: string): Scope | undefined {
  const codes = scopes[fileKindOf(type)]
  return Object.hasOwn(codes, code) ? codes[code] : undefined
}
