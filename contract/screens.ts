import type { Capability } from '#domain/roles.ts'
import type { LiveFigure } from '#domain/shop-brand.ts'
import { type Locale, locales, withLocale } from '#words/locales.ts'

/** What the server and the build know about a screen. The browser adds its component (web/app/routes.tsx). */
export interface Screen {
  readonly path: string
  /** Who the screen is for. Anyone may fetch it; each call it makes is checked. */
  readonly audience: 'anyone' | 'seller' | 'staff'
  /** What staff must be able to do to use it. */
  readonly capability?: Capability
  /** Its first content is the same for everyone, so the build renders it. */
  readonly prerendered: boolean
  /** Search engines may list it. */
  readonly indexed: boolean
  /** The address that search engines list for this one, which shows the same. */
  readonly canonical?: string
}

const page = (path: string) => ({ path, audience: 'anyone', prerendered: true, indexed: true }) as const
/** Depends on the query of its address. */
const personal = (path: string) => ({ path, audience: 'anyone', prerendered: false, indexed: false }) as const
const seller = (path: string) => ({ path, audience: 'seller', prerendered: false, indexed: false }) as const
const staff = (path: string, capability: Capability = 'use_account') =>
  ({ path, audience: 'staff', capability, prerendered: false, indexed: false }) as const

/** Every screen. The server answers any other address with the 404 document. */
export const screens = {
  home: page('/'),
  getQuote: page('/get-quote'),
  quote: { path: '/quote', audience: 'anyone', prerendered: true, indexed: false, canonical: '/get-quote' },
  terms: page('/terms'),
  privacy: page('/privacy'),
  security: page('/security'),
  help: page('/help'),
  faq: page('/faq'),
  contact: page('/contact'),
  contactChat: personal('/contact/chat'),
  login: page('/login'),
  register: page('/register'),
  forgotPassword: page('/forgot-password'),
  resetPassword: personal('/reset-password'),
  restoreEmail: personal('/restore-email'),
  confirmEmail: personal('/confirm-email'),
  unsubscribe: personal('/unsubscribe'),
  confirmation: personal('/confirmation'),
  sellCard: seller('/sell-card'),
  transactions: seller('/transactions'),
  processing: seller('/processing'),
  profile: seller('/profile'),
  account: seller('/account'),
  accountCard: seller('/account/card'),
  accountData: seller('/account/data'),
  accountNotifications: seller('/account/notifications'),
  accountSecurity: seller('/account/security'),
  admin: staff('/admin', 'see_submissions'),
  adminLogin: staff('/admin/login'),
  adminChat: staff('/admin/chat', 'chat'),
  adminSeller: staff('/admin/seller', 'see_sellers'),
  adminPayouts: staff('/admin/payouts', 'see_payouts'),
  adminInventory: staff('/admin/inventory', 'see_inventory'),
  adminHolds: staff('/admin/holds', 'place_holds'),
  adminBrands: staff('/admin/brands', 'see_brands'),
  adminPolicies: staff('/admin/policies', 'see_policies'),
  adminReviews: staff('/admin/reviews', 'moderate_reviews'),
  adminReports: staff('/admin/reports', 'read_reports'),
  adminAudit: staff('/admin/audit', 'read_audit_log'),
  adminStaff: staff('/admin/staff', 'manage_staff'),
  adminSystem: staff('/admin/system', 'manage_system'),
  adminTokens: staff('/admin/tokens', 'manage_connections'),
  adminWebhooks: staff('/admin/webhooks', 'manage_connections'),
  adminSecurity: staff('/admin/security'),
} as const satisfies Record<string, Screen>

export type ScreenName = keyof typeof screens

/** The screens that search engines may list. */
export type IndexedScreen = {
  [Name in ScreenName]: (typeof screens)[Name]['indexed'] extends true ? Name : never
}[ScreenName]

/** Every screen with its name. */
export const screenList: readonly (Screen & { readonly name: ScreenName })[] = Object.entries(screens).map(
  ([name, screen]) => ({ name: name as ScreenName, ...screen }),
)

/** The languages a screen has. The staff area is in English. */
export function localesOf({ audience }: Screen): readonly Locale[] {
  return audience === 'staff' ? ['en'] : locales
}

/** Where the service worker fetches its offline page. */
export const OFFLINE_PATH = '/offline'

/** Documents the build makes in addition to those of single screens, in each language. */
export const pageFiles = {
  /** The head and the layout, for visitors' screens that only the browser can render. */
  site: (locale: Locale) => fileName(withLocale(locale, '/site')),
  /** The head only, for unknown addresses below /admin/: the staff area has its own layout. */
  staff: 'staff.html',
  notFound: (locale: Locale) => fileName(withLocale(locale, '/404')),
  /** What the service worker shows without a connection. */
  offline: (locale: Locale) => fileName(withLocale(locale, OFFLINE_PATH)),
} as const

/** The name of the document the server sends for a screen. */
export function pageFileOf({ path, prerendered, audience }: Screen, locale: Locale): string {
  // A screen of sellers or staff has its own document because the head names the scripts to preload.
  const hasOwn = prerendered || audience !== 'anyone'
  return hasOwn ? fileName(withLocale(locale, path)) : pageFiles.site(locale)
}

function fileName(path: string): string {
  return path === '/' ? 'index.html' : `${path.slice(1).replaceAll('/', '-')}.html`
}

/** A placeholder in documents for a figure of the database, as text. */
export const figureMark = (figure: LiveFigure): string => `{{${figure}}}`

/** A placeholder in documents for all of them, as JSON. */
export const FIGURES_MARK = '{{figures}}'

/** A placeholder in documents for the site's origin, which only the running server knows. */
export const ORIGIN_MARK = '{{origin}}'
