import { expect, it } from 'vitest'
import { readWords } from '#words/catalogs.ts'
import { accountText } from './account-text.ts'

const { en, es } = readWords({ product: 'Unspent' })

it('names the numbers of a bank account in the language of the reader', () => {
  const info = 'Routing: •••• 0021, Account: •••• 6789'
  expect(accountText(en, info)).toBe(info)
  expect(accountText(es, info)).toBe('ruta •••• 0021, cuenta •••• 6789')
  expect(accountText(es, '$sally')).toBe('$sally')
})
