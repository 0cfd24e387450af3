import type { AuditChoice } from '#contract/audit.ts'
import { type ScreenName, screens } from '#contract/screens.ts'

/** The address of every screen. Links use these. */
export const paths = Object.fromEntries(
  Object.entries(screens).map(([name, { path }]) => [name, path]),
) as Record<ScreenName, string>

/** The section of the landing page. */
export const HOW_IT_WORKS = '#how-it-works'

/** What screens read from the query of their address. */
interface Queries {
  /** `brand` is a slug. */
  getQuote: { brand: string }
  /**
   * A card: `value` and `quote` are dollars, and the screen recomputes the quote; `resubmissionOf` is a rejected submission.
   * Or the list of cards of this tab, by its id.
   */
  sellCard: { brand: string; value: string; quote: string; resubmissionOf?: string } | { sale: string }
  /** A submission. */
  accountCard: { id: string }
  confirmation: { transactionId: string; giftCardId: string } | { saleId: string }
  contactChat: { session: string }
  /** A search for submissions, or one submission. */
  admin: { q?: string; id?: string }
  /** A thread, or the thread with a seller, who may not have written yet. `about` is a submission to write about. */
  adminChat: { thread: string } | { user: string; about?: string }
  adminSeller: { id: string }
  /** A batch, or the open payout in a view. */
  adminPayouts: { batch: string } | { view: 'all'; id?: string; q?: string }
  adminBrands: { q: string }
  /** `id` is that of a policy, or `new`. */
  adminPolicies: { id: string }
  adminWebhooks: { id: string }
  adminAudit: { actor?: string; action?: AuditChoice; subject?: string }
}

/** The address of a screen with a query. */
export function pathTo<Name extends keyof Queries>(screen: Name, query: Queries[Name]): string {
  return `${paths[screen]}?${new URLSearchParams({ ...query })}`
}
