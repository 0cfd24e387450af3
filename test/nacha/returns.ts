export interface Report {
  /** Of the entry that the bank reports about. */
  readonly trace: string
  /** The reference of the submission that the entry paid. */
  readonly reference: string
  /** The holder of the account, as in our file. */
  readonly name?: string
  readonly code: string
  readonly cents?: number
  readonly correction?: string
}

/** A bank's file of returns (R) and notifications of change (C): an entry with its addenda for each report. */
export function nachaReturns(reports: readonly Report[], end = '\r\n'): string {
  const records = reports.flatMap(
    ({ trace, reference, name = 'SALLY SELLER', code, cents = 9300, correction = '' }) => {
      const type = code.startsWith('R') ? '99' : '98'
      const amount = String(type === '99' ? cents : 0).padStart(10, '0')
      return [
        `62102100002198765432         ${amount}${reference.padEnd(15)}${name.padEnd(22)}  1021000020000001`,
        `7${type}${code}${trace}      02100002${correction.padEnd(44)}021000020000001`,
      ]
    },
  )
  const file = [
    '101 021000021 1234567802611230900A094101UNSPENT                FIRST BANK                     ',
    '5220UNSPENT                             1234567890PPDPAYOUT          261124   1021000020000001',
    ...records,
    '82200000000000000000000000000000000000000000123456789012                         0210000200000001',
    '9000001000001000000020000000000000000000000000000000000                                       ',
  ]
  return file.map((record) => record.slice(0, 94).padEnd(94)).join(end) + end
}
