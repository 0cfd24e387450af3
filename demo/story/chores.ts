import { type Cast, taken } from '../cast.ts'
import type { StaffName } from '../people.ts'
import { savedReplies } from '../talk.ts'
import { DAY_MS, type Deed } from './deed.ts'

/** What else staff do, so that the audit log has more than moves. */
export function chores(now: number): Deed[] {
  const by = (
    name: StaffName,
    ago: number,
    work: (reviewer: Awaited<ReturnType<Cast['staff']>>) => Promise<unknown>,
  ): Deed => ({
    at: now - ago * DAY_MS,
    run: async (cast) => void (await work(await cast.staff(name))),
  })
  return [
    ...savedReplies.map((saved, index) =>
      by(index % 2 === 0 ? 'maya' : 'jonas', 35 - index * 6, (reviewer) =>
        taken(reviewer.post('/api/admin/saved-replies', saved)),
      ),
    ),
    by('admin', 24, (reviewer) => taken(reviewer.patch('/api/admin/brands/etsy', { rate: '87.00' }))),
    by('admin', 10, (reviewer) =>
      taken(
        reviewer.post('/api/admin/brands', {
          value: 'trader_joes',
          name: "Trader Joe's",
          category: 'Grocery',
          rate: '86.00',
          minAmount: '25.00',
          maxAmount: '300.00',
        }),
      ),
    ),
    by('maya', 7, (reviewer) => taken(reviewer.get('/api/admin/transactions.csv'))),
    // Somebody mistypes; the log has that too.
    {
      at: now - 6 * DAY_MS,
      run: async (cast) => {
        await cast.visitor().post('/api/admin/login', { username: 'jonas', password: 'not the one today' })
      },
    },
  ]
}
