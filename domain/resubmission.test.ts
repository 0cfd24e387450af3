import { describe, expect, it } from 'vitest'
import { readWords } from '#words/catalogs.ts'
import { locales } from '#words/locales.ts'
import { reasonCategoriesFor } from './reasons.ts'
import { adviceFor } from './resubmission.ts'

const words = readWords({ product: 'Unspent' })
const codes = reasonCategoriesFor('reject').flatMap(({ reasons }) => reasons)

describe('the advice for a rejected card', () => {
  it.each(locales)('has a text for every reason and a description for every picture, in %s', (locale) => {
    const t = words[locale]
    for (const reason of [...codes, null]) {
      const { code, examples, canHelp } = adviceFor(reason)
      expect(t.has(`resubmission.advice.${code}`), reason ?? 'other').toBe(true)
      for (const example of examples) expect(t.has(`resubmission.example.${example}`), example).toBe(true)
      expect(examples.length > 0, reason ?? 'other').toBe(canHelp)
    }
  })

  it('is the general one only for texts of staff and for codes that are newer than this client', () => {
    expect(codes.filter((code) => adviceFor(code).code === 'other')).toEqual([])
    expect([null, 'image_upside_down'].map((code) => adviceFor(code).code)).toEqual(['other', 'other'])
  })

  it('says where submitting the card again cannot help', () => {
    expect(codes.filter((code) => !adviceFor(code).canHelp)).toEqual([
      'card_expired',
      'usage_redeemed',
      'usage_duplicate',
      'type_not_us',
      'type_cvs_in_store',
      'type_ebay_partial',
      'type_not_resaleable',
      'type_promotional',
      'type_x_code',
      'note_contact_support',
    ])
  })

  it('asks for another photo where the photos were the reason', () => {
    expect(codes.filter((code) => adviceFor(code).asksForPhoto)).toEqual([
      'image_blurry',
      'image_dark',
      'image_cropped',
      'image_glare',
      'image_back_missing',
      'image_code_covered',
      'note_receipt_required',
    ])
  })

  it('shows the fault of a rejected photo beside a good one', () => {
    expect(adviceFor('image_glare').examples).toEqual(['glare', 'front'])
    expect(adviceFor('image_code_covered').examples).toEqual(['covered', 'back'])
  })
})
