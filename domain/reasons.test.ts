import { describe, expect, it } from 'vitest'
import { reasonCategories } from './reasons.ts'

describe('the reasons', () => {
  it('are 26 in the five categories of the spec, each with a unique code', () => {
    expect(reasonCategories.map(({ name, reasons }) => [name, reasons.length])).toEqual([
      ['Image Quality Issues', 6],
      ['Card Validity Issues', 6],
      ['Account/Usage Issues', 4],
      ['Card Type Restrictions', 6],
      ['Special Instructions', 4],
    ])
    const codes = reasonCategories.flatMap(({ reasons }) => reasons.map(({ code }) => code))
    expect(new Set(codes).size).toBe(26)
  })
})
