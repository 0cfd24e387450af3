import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { PaymentType } from '#domain/payment-methods.ts'
import { testBank } from '#test/nacha/bank.ts'
import { parseAch } from '#test/nacha/parser.ts'
import { filePayment, fileRequest, randomPayments } from '#test/nacha/payments.ts'
import { Random } from '#test/random.ts'
import { composeFile, type FilePayment, requireConfigured } from './compose.ts'
import { traceNumberOf } from './nacha.ts'

const golden = (name: string) => readFileSync(join(import.meta.dirname, 'golden', name), 'utf8')

describe('an ACH file', () => {
  it('has these bytes', async () => {
    const payments = [
      filePayment(),
      filePayment({
        position: 2,
        payoutNumber: 42,
        amount: 123_456,
        accountName: 'Søren Weiß-Ærøskøbing der Ältere',
        routingNumber: '0110-0001-5',
        accountNumber: '12345678901234567',
        reference: '07F3-19AB',
      }),
      filePayment({ position: 3, payoutNumber: 57, amount: 1, accountName: '王伟', reference: 'C0DE-0001' }),
    ]
    const { bytes, name, expectedOn } = await composeFile('nacha', fileRequest(payments))
    expect(bytes.toString()).toBe(golden('nacha.ach'))
    expect({ name, expectedOn }).toEqual({ name: 'payouts-12.ach', expectedOn: '2026-11-24' })
  })

  it('asks the bank to pay on the same day, and expects that until the cut-off', async () => {
    const nacha = { ...testBank, sameDayCutoff: 14 * 60 + 45 }
    const made = async (madeAt: string) => {
      const { settings } = fileRequest([])
      const request = { madeAt: new Date(madeAt), sameDay: true, settings: { ...settings, nacha } }
      const { bytes, expectedOn } = await composeFile('nacha', fileRequest([filePayment()], request))
      const { effectiveOn, problems } = parseAch(bytes)
      return { effectiveOn, expectedOn, problems }
    }
    const day = '2026-11-23'
    const today = "the effective date is 0 banking days after the file's date"
    expect(await made(`${day}T14:44-05:00`)).toEqual({ effectiveOn: day, expectedOn: day, problems: [today] })
    expect(await made(`${day}T14:46-05:00`)).toMatchObject({ effectiveOn: day, expectedOn: '2026-11-24' })
  })

  it('is right for any payments on any day', async () => {
    const random = new Random(20)
    for (let round = 0; round < 50; round++) {
      const payments = randomPayments(random, random.integer(1, 25))
      const madeAt = new Date(Date.UTC(2026, 0, 1) + random.below(1050 * 86_400) * 1000)
      const { bytes, expectedOn } = await composeFile('nacha', fileRequest(payments, { madeAt }))
      const file = parseAch(bytes)
      expect({ madeAt, problems: file.problems }).toEqual({ madeAt, problems: [] })
      expect(file.effectiveOn).toBe(expectedOn)
      expect(file.entries.map(({ trace, id }) => [trace, id])).toEqual(
        payments.map(({ payoutNumber, reference }) => [traceNumberOf(payoutNumber, testBank), reference]),
      )
    }
  })

  it('has ascending traces when their digits start again', async () => {
    const payments = [9_999_999, 10_000_000, 10_000_001].map((payoutNumber) => filePayment({ payoutNumber }))
    const { entries, problems } = parseAch((await composeFile('nacha', fileRequest(payments))).bytes)
    expect(problems).toEqual([])
    expect(entries.map(({ trace }) => trace)).toEqual([
      '123456780000000',
      '123456780000001',
      '123456789999999',
    ])
  })

  it('names checking and savings accounts by their codes', async () => {
    const payments = numbered([filePayment(), filePayment({ accountType: 'savings' })])
    const text = (await composeFile('nacha', fileRequest(payments))).bytes.toString()
    expect([...text.matchAll(/^6(\d\d)/gm)].map(([, code]) => code)).toEqual(['22', '32'])
  })

  it('names prenotes by codes of their own', async () => {
    const payments = [
      filePayment(),
      filePayment({ position: 2, payoutNumber: 42, amount: 0 }),
      filePayment({ position: 3, payoutNumber: 43, amount: 0, accountType: 'savings' }),
    ]
    const { bytes } = await composeFile('nacha', fileRequest(payments))
    const { entries, problems } = parseAch(bytes)
    expect(problems).toEqual([])
    expect(entries.map(({ cents }) => cents)).toEqual([9300n, 0n, 0n])
    expect([...bytes.toString().matchAll(/^6(\d\d)/gm)].map(([, code]) => code)).toEqual(['22', '23', '33'])
  })

  it('has an id that no other file of the day has', async () => {
    let ids = ''
    for (let batchNumber = 1; batchNumber <= 37; batchNumber++) {
      const { bytes } = await composeFile('nacha', fileRequest([filePayment()], { batchNumber }))
      ids += parseAch(bytes).fileId
    }
    expect(ids).toBe('ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789A')
  })

  it.each([
    [
      'a payment without a bank account',
      [filePayment({ routingNumber: null, accountNumber: null })],
      /no valid bank/,
    ],
    ['a wrong check digit', [filePayment({ routingNumber: '021000022' })], /no valid bank account/],
    [
      'a total of 13 digits',
      Array(101).fill(filePayment({ amount: 9_999_999_999 })),
      /does not fit in 12 digits/,
    ],
    ['a negative amount', [filePayment({ amount: -1 })], /does not fit/],
  ])('is not made with %s', async (_, payments, problem) => {
    await expect(composeFile('nacha', fileRequest(payments))).rejects.toThrow(problem)
  })

  it('needs the settings of the bank', () => {
    const { settings } = fileRequest([])
    const { origin: _, companyId: __, ...nacha } = testBank
    const refused = expect.objectContaining({
      code: 'payout_file_not_configured',
      params: { settings: 'NACHA_ORIGIN, NACHA_COMPANY_ID' },
    })
    expect(() => requireConfigured('nacha', { ...settings, nacha })).toThrow(refused)
    expect(() => requireConfigured('paypal', { ...settings, nacha: { cutoff: 1020 } })).not.toThrow()
  })
})

describe("PayPal's payment file", () => {
  it('has these bytes', async () => {
    const wallets = [
      payment('paypal', 'josé@example.com'),
      payment('paypal', '+1 (212) 555‑0100'),
      payment('venmo', ' @Jose-Nunez_1 '),
      payment('venmo', '212.555.0101'),
    ]
    const { bytes, name, expectedOn } = await composeFile('paypal', fileRequest(numbered(wallets)))
    expect(bytes.toString()).toBe(golden('paypal.csv'))
    expect({ name, expectedOn }).toEqual({ name: 'payouts-12.csv', expectedOn: null })
  })

  it('keeps every cell as it is, with as many cells on every line', async () => {
    const accounts = ['@handle', '=1+1', '"quoted"', 'a,b', 'line\nbreak', "o'brien@example.com"]
    const request = fileRequest(
      accounts.map((account) => payment('venmo', account)),
      { productName: 'Cards, "Inc."' },
    )
    const rows = readCsv((await composeFile('paypal', request)).bytes.toString())
    expect(rows).toEqual(
      accounts.map((account) => [account, '93.00', 'USD', 'payout-41', 'Cards, "Inc." CCF8', 'VENMO']),
    )
  })

  it('has at most 5,000 rows', async () => {
    const row = payment('paypal', 'a@example.com')
    expect(
      readCsv((await composeFile('paypal', fileRequest(Array(5000).fill(row)))).bytes.toString()),
    ).toHaveLength(5000)
    await expect(composeFile('paypal', fileRequest(Array(5001).fill(row)))).rejects.toThrow(
      'Too many payments',
    )
  })
})

it('a worksheet has these bytes, and no cell runs as a formula', async () => {
  const payments = [
    payment('zelle', 'josé@example.com'),
    payment('cash_app', '$jose'),
    payment('other', '=HYPERLINK("https://example.com")', 'Núñez, José'),
  ]
  const { bytes, expectedOn } = await composeFile('worksheet', fileRequest(numbered(payments)))
  expect(bytes.toString()).toBe(golden('worksheet.csv'))
  expect(expectedOn).toBeNull()
})

function payment(paymentType: PaymentType, accountInfo: string, accountName = 'José Núñez') {
  return filePayment({ paymentType, accountInfo, accountName, routingNumber: null, accountNumber: null })
}

function numbered(payments: readonly FilePayment[]): FilePayment[] {
  return payments.map((each, index) => ({ ...each, position: index + 1, payoutNumber: 41 + index }))
}

/** Reads CSV by RFC 4180, character by character. */
function readCsv(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let cell = ''
  let isQuoted = false
  for (let index = 0; index < text.length; index++) {
    const char = text.charAt(index)
    if (isQuoted && char === '"' && text.charAt(index + 1) === '"') cell += text.charAt(++index)
    else if (char === '"') isQuoted = !isQuoted
    else if (!isQuoted && char === ',') {
      row.push(cell)
      cell = ''
    } else if (!isQuoted && char === '\r' && text.charAt(index + 1) === '\n') {
      rows.push([...row, cell])
      row = []
      cell = ''
      index++
    } else cell += char
  }
  expect([row, cell]).toEqual([[], ''])
  return rows
}
