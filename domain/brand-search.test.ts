import { expect, it } from 'vitest'
import { findBrands, slugOf } from './brand-search.ts'
import { brandAliases, brands } from './brands.ts'

const names = (search: string) =>
  findBrands(brands, search, ({ category }) => category).map(({ name }) => name)

it.each([
  ['', brands.length],
  ['zzzz', 0],
])('finds for %j as many brands as contain it', (search, count) => {
  expect(names(search)).toHaveLength(count)
})

it.each([
  ['STARB', 'Starbucks'],
  ['amzn', 'Amazon'],
  ['Amex', 'American Express Gift Card'],
  ['app store', 'Apple iTunes'],
  ['PS5', 'PlayStation'],
  ['V-Bucks', 'Epic Games'],
  ['amzon', 'Amazon'],
  ['amaozn', 'Amazon'],
  ['starbuks', 'Starbucks'],
  ['kohls', "Kohl's"],
  ['H & M', 'H&M'],
  ['bath and body', 'Bath & Body Works'],
  ['homedepot', 'The Home Depot'],
  ['dépot', 'The Home Depot'],
  ['depto', 'The Home Depot'],
  ['bloomingdalse', "Bloomingdale's"],
  ['nordstorm', 'Nordstrom'],
  ['netflx', 'Netflix'],
  ['groc', 'Kroger'],
  ['food & drink', 'Starbucks'],
])('%j finds %s', (search, name) => {
  expect(names(search)).toContain(name)
})

it('has aliases of brands in the catalog only, and no alias that repeats the name', () => {
  for (const [slug, aliases] of Object.entries(brandAliases)) {
    const brand = brands.find(({ value }) => value === slug)
    for (const alias of aliases) expect(brand?.name.toLowerCase() ?? alias, slug).not.toContain(alias)
  }
})

it.each(['no such brand', 'gpa', 'qq', '1234'])('does not guess for %j', (search) => {
  expect(names(search)).toEqual([])
})

it.each([
  ['Corner Bakery', 'corner_bakery'],
  ['  Ça va? ', 'ca_va'],
  ['!', undefined],
  ['日本', undefined],
  ['a'.repeat(80), 'a'.repeat(50)],
])('a card of %j is sold under the slug %s', (search, slug) => {
  expect(slugOf(search)).toBe(slug)
})
