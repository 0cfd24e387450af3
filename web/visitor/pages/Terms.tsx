import { CHANGED_ACCOUNT_HOURS } from '#domain/payout.ts'
import { MAX_PHOTO_BYTES, MAX_PHOTOS } from '#domain/photo-files.ts'
import { QUOTE_HOLDS_MINUTES } from '#domain/quote.ts'
import { APPEAL_DAYS, OFFER_HOURS } from '#domain/submission.ts'
import { paths } from '#web/words/paths.ts'
import { shopBrand } from '#web/words/shop-brand.ts'
import { LongPage, type Section } from './LongPage.tsx'

const section = <Id extends string>(id: Id) =>
  ({ id, title: `terms.${id}.title`, text: `terms.${id}.text` }) as const
const withPoints = <Id extends string>(id: Id) => ({ ...section(id), points: `terms.${id}.points` }) as const

/** Operators should have a lawyer check these texts before opening to the public. */
const sections: readonly Section[] = [
  section('service'),
  { ...withPoints('account'), links: [{ label: 'terms.account.linkSecurity', to: paths.accountSecurity }] },
  withPoints('cards'),
  { ...section('quotes'), links: [{ label: 'terms.quotes.linkGetQuote', to: paths.getQuote }] },
  withPoints('photos'),
  { ...section('review'), links: [{ label: 'terms.review.linkProcessing', to: paths.processing }] },
  section('payment'),
  section('withdraw'),
  { ...section('rejected'), links: [{ label: 'terms.rejected.linkContact', to: paths.contact }] },
  withPoints('rules'),
  section('responsibility'),
  section('changes'),
  ...(shopBrand.company ? [section('company')] : []),
]

const values = {
  minutes: QUOTE_HOLDS_MINUTES,
  offerHours: OFFER_HOURS,
  appealDays: APPEAL_DAYS,
  changedHours: CHANGED_ACCOUNT_HOURS,
  photos: MAX_PHOTOS,
  megabytes: MAX_PHOTO_BYTES / 1024 ** 2,
  company: shopBrand.company?.name ?? '',
  address: shopBrand.company?.address ?? '',
}

export default function Terms() {
  return (
    <LongPage title="terms.title" intro="terms.intro" updated="2026-11" sections={sections} values={values} />
  )
}
