import type { OpeningHours } from './opening-hours.ts'
import type { PaymentType } from './payment-methods.ts'

/** The identity of this shop, read from BRAND_DIR. Not to be confused with a brand of gift cards. */
export interface ShopBrand {
  readonly name: string
  readonly logo: Pick<Logo, 'viewBox'>
  readonly support: {
    readonly email?: string | undefined
    readonly phone?: string | undefined
    readonly hours: Localized
  }
  /** What `support.hours` says, as data. */
  readonly openingHours?: OpeningHours | undefined
  /** Who runs the shop: in the footer, the terms and every email. */
  readonly company?: Company | undefined
  /** The landing page's selling points. */
  readonly claims: readonly ShopClaim[]
  /** The payment types that the shop offers. */
  readonly payoutMethods: readonly PaymentType[]
}

interface Company {
  readonly name: string
  readonly address: string
  /** The license and who gave it, in one line. On the landing page only, like the person. */
  readonly license?: Localized | undefined
  /** Who answers for the shop. */
  readonly person?: { readonly name: string; readonly role: Localized } | undefined
}

/** How the landing page begins: words beside the calculator, or the calculator on a deep band beside the words. */
export const heroLayouts = ['beside', 'band'] as const
export type HeroLayout = (typeof heroLayouts)[number]

/** The drawings that a brand can bring: `drawings/paid.svg`. */
export const drawingNames = [
  ...(['empty', 'notFound', 'lost', 'sent', 'paid'] as const),
  ...(['chosen', 'quoted', 'photographed'] as const),
  'talk',
  'hero',
] as const
export type DrawingName = (typeof drawingNames)[number]

/** What the pages know of the brand's drawings: the file that has them all, and the `viewBox` of each. */
export interface ShopDrawings {
  readonly address: string
  readonly viewBoxes: Readonly<Partial<Record<DrawingName, string>>>
}

/** The inside of an SVG drawing. */
export interface Logo {
  readonly viewBox: string
  readonly content: string
}

/** One text in every language of the site. */
export interface Localized {
  readonly en: string
  readonly es: string
}

export interface ShopClaim {
  readonly figure: string | { readonly live: LiveFigure; readonly minimum?: number | undefined }
  readonly text: Localized
}

/** The figures of the database that a claim may show: `live:cards_traded` in brand.json. */
export const liveFigures = ['cards_traded', 'paid_out', 'average_rate', 'brands'] as const
export type LiveFigure = (typeof liveFigures)[number]

/**
 * The least that a live claim states, in cards, dollars or brands. An average needs as many cards. Always more than one, so that
 * the text of a claim can be a plural.
 */
export const claimMinimums: Readonly<Record<LiveFigure, number>> = {
  cards_traded: 100,
  paid_out: 10_000,
  average_rate: 100,
  brands: 10,
}

/** The figures as texts, the same in every language: `$1,234`. Empty below the minimum of the claim. */
export type Figures = Readonly<Record<LiveFigure, string>>
