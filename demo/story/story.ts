import { type Cast, taken } from '../cast.ts'
import { type SellerName, sellers } from '../people.ts'
import { sales } from '../sales/sales.ts'
import { talks } from '../talk.ts'
import { chores } from './chores.ts'
import { conversation } from './conversation.ts'
import { DAY_MS, type Deed, MINUTE_MS } from './deed.ts'
import { deedsOf } from './sale.ts'

/**
 * What happens in the weeks before a moment, in its order.
 * @param cards so many of the newest sales, with whoever has a part in them; all of them unless given
 */
export function story(now: number, cards = sales.length): Deed[] {
  const told = sales.slice(-cards)
  const conversations = cards < sales.length ? talks.slice(-2) : talks
  const names = [...told, ...conversations].flatMap((part) => ('seller' in part ? [part.seller] : []))
  const deeds = [
    ...[...new Set<SellerName>(['grace', ...names])].flatMap((name) => arrival(name, now)),
    ...told.flatMap((sale) => deedsOf(sale, now)),
    ...conversations.flatMap((talk) => conversation(talk, now)),
    ...chores(now),
  ]
  return deeds.sort((one, other) => one.at - other.at)
}

function arrival(name: SellerName, now: number): Deed[] {
  const { registered, payment, ...person } = sellers[name]
  const at = now - registered * DAY_MS
  const owner = { accountName: `${person.firstName} ${person.lastName}` }
  const { type, account } = payment
  const method =
    'number' in payment
      ? { type, ...owner, routingNumber: account, accountNumber: payment.number }
      : { type, ...owner, accountInfo: account }
  const saved = type === 'apple_pay' || type === 'google_pay' ? [] : [method]
  return [
    { at, run: (cast) => cast.register(name) },
    ...(name === 'oscar' ? [] : [{ at: at + 2 * MINUTE_MS, run: (cast: Cast) => cast.confirmEmail(name) }]),
    ...saved.map((body) => ({
      at: at + 4 * MINUTE_MS,
      run: async (cast: Cast) =>
        void (await taken((await cast.seller(name)).post('/api/payment-methods', body))),
    })),
  ]
}
