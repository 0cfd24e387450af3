import { expect, it } from 'vitest'
import { readWords } from '#words/catalogs.ts'
import { accountFor } from './letter.ts'

const { en, es } = readWords({ product: 'Unspent' })

it.each([
  ['a confirmed address gets', true, 'z•••@pay.example', 'z•••@pay.example'],
  ['an unconfirmed address gets its own domain:', false, 's•••@Example.com', 's•••@Example.com'],
  ['an unconfirmed address gets no other domain:', false, 'z•••@evil.example', 'z•••@•••'],
  ['an unconfirmed address gets no longer domain:', false, 'z•••@evil-example.com', 'z•••@•••'],
  ['an unconfirmed address gets digits:', false, '•••• 5432', '•••• 5432'],
])('%s the masked account', (_who, verified, hint, shown) => {
  expect(accountFor(en, { email: 'sally@example.com', verified }, hint)).toBe(shown)
})

it('names the numbers of a bank account in the language of the recipient', () => {
  const to = { email: 'sally@example.com', verified: true }
  expect(accountFor(es, to, 'Routing: •••• 6789, Account: •••• 3456')).toBe(
    es('payments.bankAccount', { routingNumber: '•••• 6789', accountNumber: '•••• 3456' }),
  )
})
