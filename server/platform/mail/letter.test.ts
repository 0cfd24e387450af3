import { expect, it } from 'vitest'
import { accountFor } from './letter.ts'

it.each([
  ['a confirmed address gets', true, 'z•••@pay.example', 'z•••@pay.example'],
  ['an unconfirmed address gets its own domain:', false, 's•••@Example.com', 's•••@Example.com'],
  ['an unconfirmed address gets no other domain:', false, 'z•••@evil.example', 'z•••@•••'],
  ['an unconfirmed address gets no longer domain:', false, 'z•••@evil-example.com', 'z•••@•••'],
  ['an unconfirmed address gets digits:', false, '•••• 5432', '•••• 5432'],
])('%s the masked account', (_who, verified, hint, shown) => {
  expect(accountFor({ email: 'sally@example.com', verified }, hint)).toBe(shown)
})
