import type { ScreenPath } from '#contract/screens.ts'

/** Every address of the site. Screens link through these and nothing else. */
export const paths = {
  home: '/',
  getQuote: '/get-quote',
  /** The same screen under its shorter name. */
  quote: '/quote',
  sellCard: '/sell-card',
  confirmation: '/confirmation',
  login: '/login',
  register: '/register',
  forgotPassword: '/forgot-password',
  resetPassword: '/reset-password',
  restoreEmail: '/restore-email',
  confirmEmail: '/confirm-email',
  transactions: '/transactions',
  processing: '/processing',
  profile: '/profile',
  terms: '/terms',
  privacy: '/privacy',
  security: '/security',
  help: '/help',
  faq: '/faq',
  contact: '/contact',
  contactChat: '/contact/chat',
  admin: '/admin',
  adminLogin: '/admin/login',
  adminChat: '/admin/chat',
  adminBrands: '/admin/brands',
  adminAudit: '/admin/audit',
  adminSecurity: '/admin/security',
} as const satisfies Record<string, ScreenPath>

interface QuoteAddress {
  /** The brand's slug. */
  brand: string
  /** Face value and quote in dollars; what they say is computed anew by whoever reads them. */
  value: string
  quote: string
}

/** The calculator with a brand chosen. @param brand its slug */
export function getQuotePath(brand: string): string {
  return withQuery(paths.getQuote, { brand })
}

export function sellCardPath(quote: QuoteAddress): string {
  return withQuery(paths.sellCard, { ...quote })
}

export function confirmationPath(ids: { transactionId: string; giftCardId: string }): string {
  return withQuery(paths.confirmation, ids)
}

/** A visitor's conversation with support. */
export function contactChatPath(session: string): string {
  return withQuery(paths.contactChat, { session })
}

function withQuery(path: string, query: Record<string, string>): string {
  return `${path}?${new URLSearchParams(query)}`
}
