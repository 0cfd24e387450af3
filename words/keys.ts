/** The bundles that a browser loads for each part of the site. Each is a folder of files; those in `server` stay on the server. */
export const bundlesOf = {
  visitor: ['visitor'],
  pages: ['visitor', 'pages'],
  seller: ['visitor', 'seller'],
  resubmission: ['visitor', 'seller', 'resubmission'],
  settings: ['visitor', 'seller', 'settings'],
  staff: ['visitor', 'seller', 'staff'],
} as const

export type Part = keyof typeof bundlesOf
export type Bundle = (typeof bundlesOf)[Part][number]

/** The files of a language, by namespace. English decides which keys exist. */
interface Catalog {
  readonly account: typeof import('./en/seller/account.json')
  readonly accountData: typeof import('./en/settings/accountData.json')
  readonly accountFields: typeof import('./en/seller/accountFields.json')
  readonly accountNotifications: typeof import('./en/settings/accountNotifications.json')
  readonly accountSecurity: typeof import('./en/seller/accountSecurity.json')
  readonly apiFields: typeof import('./en/staff/apiFields.json')
  readonly appeal: typeof import('./en/seller/appeal.json')
  readonly cards: typeof import('./en/visitor/cards.json')
  readonly chat: typeof import('./en/visitor/chat.json')
  readonly confirmation: typeof import('./en/visitor/confirmation.json')
  readonly contact: typeof import('./en/visitor/contact.json')
  readonly documents: typeof import('./en/server/documents.json')
  readonly done: typeof import('./en/server/done.json')
  readonly download: typeof import('./en/server/download.json')
  readonly faq: typeof import('./en/pages/faq.json')
  readonly fields: typeof import('./en/visitor/fields.json')
  readonly help: typeof import('./en/pages/help.json')
  readonly hours: typeof import('./en/visitor/hours.json')
  readonly landing: typeof import('./en/visitor/landing.json')
  readonly mail: typeof import('./en/server/mail.json')
  readonly pages: typeof import('./en/pages/pages.json')
  readonly moves: typeof import('./en/staff/moves.json')
  readonly passkeys: typeof import('./en/visitor/passkeys.json')
  readonly paymentMethod: typeof import('./en/seller/paymentMethod.json')
  readonly payments: typeof import('./en/visitor/payments.json')
  readonly payoutAccount: typeof import('./en/seller/payoutAccount.json')
  readonly payoutMethod: typeof import('./en/seller/payoutMethod.json')
  readonly payoutStatus: typeof import('./en/seller/payoutStatus.json')
  readonly payouts: typeof import('./en/server/payouts.json')
  readonly photos: typeof import('./en/seller/photos.json')
  readonly privacy: typeof import('./en/pages/privacy.json')
  readonly policies: typeof import('./en/staff/policies.json')
  readonly processing: typeof import('./en/seller/processing.json')
  readonly profile: typeof import('./en/seller/profile.json')
  readonly push: typeof import('./en/server/push.json')
  readonly pushes: typeof import('./en/seller/pushes.json')
  readonly quote: typeof import('./en/visitor/quote.json')
  readonly reasons: typeof import('./en/staff/reasons.json')
  readonly refusals: typeof import('./en/server/refusals.json')
  readonly resubmission: typeof import('./en/resubmission/resubmission.json')
  readonly review: typeof import('./en/seller/review.json')
  readonly risks: typeof import('./en/server/risks.json')
  readonly secondFactor: typeof import('./en/visitor/secondFactor.json')
  readonly security: typeof import('./en/pages/security.json')
  readonly sellCard: typeof import('./en/seller/sellCard.json')
  readonly seller: typeof import('./en/seller/seller.json')
  readonly signIn: typeof import('./en/visitor/signIn.json')
  readonly site: typeof import('./en/visitor/site.json')
  readonly staffStatuses: typeof import('./en/staff/staffStatuses.json')
  readonly statuses: typeof import('./en/visitor/statuses.json')
  readonly support: typeof import('./en/visitor/support.json')
  readonly taxDetails: typeof import('./en/settings/taxDetails.json')
  readonly terms: typeof import('./en/pages/terms.json')
  readonly transactions: typeof import('./en/seller/transactions.json')
  readonly unsubscribe: typeof import('./en/visitor/unsubscribe.json')
}

export type Namespace = keyof Catalog

/** A text by its file and its key in it: `site.loading`. */
export type Key = { [N in Namespace]: `${N}.${keyof Catalog[N] & string}` }[Namespace]

/** The error of a field: `fields` has those of the forms of sellers and visitors, `apiFields` the others. */
export type FieldCode = keyof Catalog['fields'] | keyof Catalog['apiFields']
