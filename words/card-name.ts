import type { Translate } from './translate.ts'

/** A card inside a sentence: "Amazon card", but "Visa Gift Card" and "your Home Depot card". */
export function cardNameIn(t: Translate, brand: string): string {
  if (/ card$/i.test(brand)) return t('cards.named', { brand })
  return t('cards.ofBrand', { brand: t.locale === 'en' ? brand.replace(/^the /i, '') : brand })
}
