/** The files of a language, by namespace. English decides which keys exist. */
interface Catalog {
  readonly account: typeof import('./en/account.json')
  readonly accountData: typeof import('./en/accountData.json')
  readonly accountNotifications: typeof import('./en/accountNotifications.json')
  readonly accountSecurity: typeof import('./en/accountSecurity.json')
  readonly apiFields: typeof import('./en/apiFields.json')
  readonly appeal: typeof import('./en/appeal.json')
  readonly cards: typeof import('./en/cards.json')
  readonly chat: typeof import('./en/chat.json')
  readonly confirmation: typeof import('./en/confirmation.json')
  readonly contact: typeof import('./en/contact.json')
  readonly documents: typeof import('./en/documents.json')
  readonly done: typeof import('./en/done.json')
  readonly download: typeof import('./en/download.json')
  readonly faq: typeof import('./en/faq.json')
  readonly fields: typeof import('./en/fields.json')
  readonly help: typeof import('./en/help.json')
  readonly landing: typeof import('./en/landing.json')
  readonly mail: typeof import('./en/mail.json')
  readonly pages: typeof import('./en/pages.json')
  readonly passkeys: typeof import('./en/passkeys.json')
  readonly paymentMethod: typeof import('./en/paymentMethod.json')
  readonly payments: typeof import('./en/payments.json')
  readonly payoutAccount: typeof import('./en/payoutAccount.json')
  readonly payoutMethod: typeof import('./en/payoutMethod.json')
  readonly payoutStatus: typeof import('./en/payoutStatus.json')
  readonly payouts: typeof import('./en/payouts.json')
  readonly photos: typeof import('./en/photos.json')
  readonly privacy: typeof import('./en/privacy.json')
  readonly processing: typeof import('./en/processing.json')
  readonly profile: typeof import('./en/profile.json')
  readonly push: typeof import('./en/push.json')
  readonly pushes: typeof import('./en/pushes.json')
  readonly quote: typeof import('./en/quote.json')
  readonly reasons: typeof import('./en/reasons.json')
  readonly refusals: typeof import('./en/refusals.json')
  readonly resubmission: typeof import('./en/resubmission.json')
  readonly risks: typeof import('./en/risks.json')
  readonly secondFactor: typeof import('./en/secondFactor.json')
  readonly security: typeof import('./en/security.json')
  readonly sellCard: typeof import('./en/sellCard.json')
  readonly seller: typeof import('./en/seller.json')
  readonly signIn: typeof import('./en/signIn.json')
  readonly site: typeof import('./en/site.json')
  readonly statuses: typeof import('./en/statuses.json')
  readonly support: typeof import('./en/support.json')
  readonly terms: typeof import('./en/terms.json')
  readonly transactions: typeof import('./en/transactions.json')
  readonly unsubscribe: typeof import('./en/unsubscribe.json')
}

export type Namespace = keyof Catalog

/** A text by its file and its key in it: `site.loading`. */
export type Key = { [N in Namespace]: `${N}.${keyof Catalog[N] & string}` }[Namespace]

/** The error of a field: `fields` has those of the forms of sellers and visitors, `apiFields` the others. */
export type FieldCode = keyof Catalog['fields'] | keyof Catalog['apiFields']
