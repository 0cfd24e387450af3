import { describe, expect, test } from 'vitest'
import type { StaffSubmission } from '#contract/staff-submissions.ts'
import { type LoadedList, withRow, withTop as withTopBy } from '../list/loaded-list.ts'
import { type ListFilters, placed, rankBy } from './list-cache.ts'

type Submissions = LoadedList<StaffSubmission>
const withTop = (list: Submissions, top: Submissions['pages'][number], filters: ListFilters) =>
  withTopBy(list, top, rankBy(filters))

const row = (id: string, status: StaffSubmission['status'] = 'pending', brand = 'amazon') =>
  ({ id, status, brand, version: 1 }) as StaffSubmission
/** Pages as the server sends them: each starts after the last id of the previous one. */
function list(total: number, ...pages: string[][]): Submissions {
  const cursors = pages.map((ids, at) =>
    at < pages.length - 1 || total > pages.flat().length ? ids.at(-1) : undefined,
  )
  return {
    pages: pages.map((ids, at) => ({ rows: ids.map((id) => row(id)), cursor: cursors[at], total })),
    pageParams: [undefined, ...cursors.slice(0, -1)],
  }
}
const ids = ({ pages }: Submissions) => pages.map(({ rows }) => rows.map(({ id }) => id).join(''))
const total = ({ pages }: Submissions) => pages[0]?.total

describe('a submission that has changed', () => {
  const loaded = list(9, ['9', '8'], ['6', '5'])

  test('is changed in place', () => {
    const after = placed(loaded, row('6', 'completed'), {})
    expect(ids(after)).toEqual(['98', '65'])
    expect(after.pages[1]?.rows[0]?.status).toBe('completed')
    expect(total(after)).toBe(9)
  })

  test('leaves a list that it no longer matches', () => {
    const after = placed(loaded, row('6', 'completed'), { status: 'pending' })
    expect(ids(after)).toEqual(['98', '5'])
    expect(total(after)).toBe(8)
  })

  test('joins a list that it now matches, at its position', () => {
    const after = placed(loaded, row('7'), { status: 'pending' })
    expect(ids(after)).toEqual(['98', '765'])
    expect(total(after)).toBe(10)
    expect(ids(placed(loaded, row('A'), { brand: 'amazon' }))).toEqual(['A98', '65'])
  })

  test('joins the end of a list only when all of it is loaded', () => {
    expect(placed(loaded, row('1'), {})).toBe(loaded)
    expect(ids(placed(list(4, ['9', '8'], ['6', '5']), row('1'), {}))).toEqual(['98', '651'])
    expect(ids(placed(list(0, []), row('1'), {}))).toEqual(['1'])
  })

  test('does not join a list of another brand or a search', () => {
    expect(placed(loaded, row('7'), { brand: 'steam' })).toBe(loaded)
    expect(placed(loaded, row('7'), { q: 'maya' })).toBe(loaded)
    expect(ids(placed(loaded, row('6', 'failed'), { q: 'maya', status: 'pending' }))).toEqual(['98', '5'])
  })

  test('joins a list only if it fits every filter', () => {
    const changed = {
      ...row('7'),
      denomination: '50.00',
      paymentType: 'venmo',
      createdAt: '2026-03-05T12:00:00Z',
    }
    const joins = (filters: ListFilters) => placed(loaded, changed, filters) !== loaded
    const noon = '2026-03-05T12:00:00.000Z'
    for (const filters of [
      { view: 'review' },
      { minAmount: '50', maxAmount: '50' },
      { paymentType: 'venmo' },
    ] as const) {
      expect(joins(filters), JSON.stringify(filters)).toBe(true)
    }
    for (const filters of [
      { view: 'pay' },
      { minAmount: '50.01' },
      { maxAmount: '49' },
      { paymentType: 'zelle' },
      { to: noon },
      { claimed: 'none' },
    ] as const) {
      expect(joins(filters), JSON.stringify(filters)).toBe(false)
    }
  })

  test('changes nothing if it is not loaded', () => {
    expect(withRow(loaded, '7', () => row('7', 'failed'))).toBe(loaded)
  })
})

describe('a fresh first page', () => {
  const top = (ids: string[], count = 9) => ({
    rows: ids.map((id) => row(id)),
    cursor: ids.at(-1),
    total: count,
  })

  test('adds new rows and keeps the rows below', () => {
    const after = withTop(list(8, ['8', '7'], ['6', '5']), top(['9', '8']), {})
    expect(ids(after)).toEqual(['98', '7', '65'])
    expect(after.pageParams).toEqual([undefined, '8', '7'])
    expect(after.pages.at(-1)?.cursor).toBe('5')
    expect(total(after)).toBe(9)
  })

  test('removes rows that are gone', () => {
    expect(ids(withTop(list(9, ['8', '7'], ['6', '5']), top(['8', '6']), {}))).toEqual(['86', '5'])
  })

  test('replaces the list if it is the last page or more has arrived than a page holds', () => {
    expect(
      ids(withTop(list(9, ['8', '7'], ['6']), { ...top(['8', '6'], 2), cursor: undefined }, {})),
    ).toEqual(['86'])
    expect(ids(withTop(list(9, ['4', '3'], ['2']), top(['9', '8']), {}))).toEqual(['98'])
    expect(ids(withTop(list(9, ['4'], ['2']), { rows: [], cursor: undefined, total: 0 }, {}))).toEqual([''])
  })
})

describe('a list with the answered submissions first', () => {
  const filters = { answeredFirst: 'true' } as const
  const answered = (id: string) => ({ ...row(id), answered: true })
  const loaded = (): Submissions => {
    const { pages, pageParams } = list(9, ['4', '9'], ['8', '7'])
    const [first, second] = pages
    if (!first || !second) throw new Error('Two pages')
    return { pages: [{ ...first, rows: [answered('4'), row('9')] }, second], pageParams }
  }

  test('moves up when the seller answers, and back when staff move it', () => {
    const up = placed(loaded(), answered('7'), filters)
    expect(ids(up)).toEqual(['749', '8'])
    expect(total(up)).toBe(9)
    expect(ids(placed(up, row('7', 'processing'), filters))).toEqual(['49', '87'])
    expect(ids(placed(loaded(), answered('1'), filters))).toEqual(['419', '87'])
  })

  test('appears once when the first page has it too', () => {
    const top = { rows: [answered('7'), answered('4')], cursor: 'answered.4', total: 9 }
    expect(ids(withTop(loaded(), top, filters))).toEqual(['74', '9', '8'])
  })
})

describe('a view with the oldest first', () => {
  const filters = { view: 'review' } as const
  const loaded = list(9, ['1', '3'], ['5', '6'])

  test('takes a submission at its position, and the newest only when all is loaded', () => {
    expect(ids(placed(loaded, row('4'), filters))).toEqual(['13', '456'])
    expect(placed(loaded, row('8'), filters)).toBe(loaded)
    expect(ids(placed(list(4, ['1', '3'], ['5', '6']), row('8'), filters))).toEqual(['13', '568'])
    expect(ids(placed(loaded, { ...row('6'), answered: true }, filters))).toEqual(['613', '5'])
    expect(ids(placed(loaded, row('3', 'processing'), filters))).toEqual(['1', '56'])
  })

  test('keeps the rows below a fresh first page', () => {
    const top = { rows: [row('3'), row('4')], cursor: '4', total: 8 }
    expect(ids(withTop(loaded, top, filters))).toEqual(['34', '56'])
  })
})
