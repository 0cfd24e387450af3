import { describe, expect, it } from 'vitest'
import { composeFile } from '#server/features/payouts/files/compose.ts'
import { Random } from '#test/random.ts'
import { parseAch } from './parser.ts'
import { filePayment, fileRequest, randomPayments } from './payments.ts'

const { bytes: goodFile } = await composeFile('nacha', fileRequest(randomPayments(new Random(4), 4)))

const problemsOf = (text: string): readonly string[] => parseAch(Buffer.from(text)).problems

describe('the checker accepts files that the server writes', () => {
  it.each([1, 2, 3, 4, 9, 10, 11, 10_000])('of %i payments', async (count) => {
    const request = fileRequest(randomPayments(new Random(count), count))
    const { bytes } = await composeFile('nacha', request)
    const { entries, problems } = parseAch(bytes)
    expect(problems).toEqual([])
    expect(entries.map(({ routingNumber, account, cents }) => [routingNumber, account, cents])).toEqual(
      request.payments.map(({ routingNumber, accountNumber, amount }) => [
        routingNumber,
        accountNumber,
        BigInt(amount),
      ]),
    )
  })
})

describe('the checker refuses a file', () => {
  const good = goodFile.toString()
  const lines = good.split('\r\n')
  const edited = (line: number, edit: (text: string) => string) =>
    lines.map((text, index) => (index === line ? edit(text) : text)).join('\r\n')

  it.each([
    ['with a short line', edited(3, (line) => line.slice(0, 93)), /line 4 has 93 characters/],
    ['with a long line', edited(0, (line) => `${line} `), /line 1 has 95 characters/],
    ['without its last block', lines.slice(0, 10).join('\r\n'), /the last line has no end/],
    ['without its fill', `${lines.slice(0, 12).join('\r\n')}\r\n`, /12 lines are no whole blocks/],
    ['without an entry', good.replace(/^6.*\r\n7.*\r\n/m, ''), /count is/],
    ['without the addenda of an entry', good.replace(/^7.*\r\n/m, ''), /the addenda indicator is wrong/],
    ['without a control record', good.replace(/^8.*\r\n/m, ''), /the records are in the order/],
    ['with entries in another order', swapped(lines).join('\r\n'), /is not above/],
    ['with a letter beyond ASCII', edited(1, (line) => line.replace('UNSPENT', 'ÜNSPENT')), /not allowed/],
    ['with free text in the addenda', edited(3, (line) => line.replace('REF*', 'REF ')), /information is/],
    ['that settles on Thanksgiving', edited(1, effective('261126')), /no banking day/],
    ['that settles on the day it is made', edited(1, effective('261123')), /0 banking days after/],
    ['that settles three banking days later', edited(1, effective('261127')), /3 banking days after/],
  ])('%s', (_, text, problem) => {
    expect(text).not.toBe(good)
    expect(problemsOf(text).join('\n')).toMatch(problem)
  })

  it('with any other digit, except where it cannot know better', async () => {
    const { bytes } = await composeFile('nacha', fileRequest([filePayment()]))
    const text = bytes.toString()
    const undetected = new Set<string>()
    for (const { index, 0: digit } of text.matchAll(/\d/g)) {
      const changed = text.slice(0, index) + ((Number(digit) + 1) % 10) + text.slice(index + 1)
      if (problemsOf(changed).length === 0) {
        undetected.add(`${text.charAt(index - (index % 96))}: ${(index % 96) + 1}`)
      }
    }
    expect([...undetected]).toEqual([
      // The origin, the time, the reference code
      ...range(14, 23).map((position) => `1: ${position}`),
      ...['1: 30', '1: 31', '1: 32', '1: 33', '1: 88', '1: 89'],
      // A settlement one banking day later is allowed.
      '5: 75',
      // A savings account, the account number, the reference
      '6: 2',
      ...range(13, 22).map((position) => `6: ${position}`),
      ...['6: 40', '6: 42', '6: 43', '6: 48'],
      // The reference
      '7: 14',
    ])
  })
})

function effective(date: string) {
  return (line: string) => line.slice(0, 69) + date + line.slice(75)
}

/** The first two entries change places. */
function swapped([header, batch, entry, addenda, entry2, addenda2, ...rest]: readonly string[]) {
  return [header, batch, entry2, addenda2, entry, addenda, ...rest]
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index)
}
