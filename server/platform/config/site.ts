import type { Themes } from '#brand/tokens.ts'
import type { Cents } from '#domain/money.ts'
import type { PaymentType } from '#domain/payment-methods.ts'
import type { PayoutLimits } from '#domain/payout-limits.ts'
import type { ShopBrand } from '#domain/shop-brand.ts'

/** The name, addresses and contacts of this installation. */
export interface Site {
  readonly productName: string
  /** Who runs the shop. */
  readonly company?: ShopBrand['company']
  /** The brand's colors. */
  readonly themes: Themes
  /** The landing page's selling points. */
  readonly claims?: ShopBrand['claims']
  /** When support is there. */
  readonly openingHours?: ShopBrand['openingHours']
  /** The payment types that the shop offers. */
  readonly payoutMethods: readonly PaymentType[]
  /** The origin of links in emails: PUBLIC_URL, or the address the server listens on. */
  publicUrl: string
  /** The only origin requests may come from. Undefined: the origin they are sent to. */
  readonly allowedOrigin: string | undefined
  /** The shop's time zone, which its days follow. */
  readonly timeZone: string
  readonly payouts: PayoutSettings
  /** A card with a higher face value needs a balance check before it is approved. */
  readonly balanceCheckAbove?: Cents | undefined
  /** Sellers who were paid more in a year are asked for tax details. In cents. */
  readonly taxFormThreshold?: Cents | undefined
  /** Where replies to our emails go. Undefined: nobody reads them. */
  readonly replyTo?: string | undefined
  readonly supportEmail?: string | undefined
  /** The contact settings that are not set. */
  readonly unsetContacts?: readonly string[]
  /** Whether the public site uses https. */
  readonly https: boolean
  /** Whether HSTS includes subdomains. Default: false. */
  readonly hstsSubdomains?: boolean
  /** Whether browsers may keep our service worker. Default: true. */
  readonly serviceWorker?: boolean
  /** Whether webhooks may go to private addresses. Default: false. */
  readonly webhooksAllowPrivate?: boolean
  /** Whether all data is invented (npm run demo). */
  readonly isDemo?: boolean
  /** Whether administrators without a second factor can only set one up. Default: false. */
  readonly requireTotp?: boolean
  /** Lower-case usernames that see the Admin Dashboard button. Nobody can register them. */
  readonly adminUsernames: ReadonlySet<string>
}

/** How this installation pays. */
export interface PayoutSettings {
  /** Whether payers may pay without a batch. Owners always may. */
  readonly manual: boolean
  /** Whether the person who froze a batch can never release it, even if nobody else could. */
  readonly alwaysTwoPersons: boolean
  /** Whether a seller's debt for bad cards is deducted from their next payouts. */
  readonly netReceivables: boolean
  readonly limits?: PayoutLimits
  /** Whether accounts get a prenote before their first ACH payment. Default: false. */
  readonly prenotes?: boolean
  /** Leaves out the values that are not set. */
  readonly nacha: Pick<NachaSettings, 'cutoff'> & {
    readonly [Name in keyof NachaSettings]?: NachaSettings[Name] | undefined
  }
}

/** The values in the headers of an ACH file, all upper-case ASCII, and the bank's cut-off. */
export interface NachaSettings {
  /** The routing number of the bank that takes the file. */
  readonly destination: string
  readonly destinationName: string
  /** 9 or 10 characters. */
  readonly origin: string
  readonly companyName: string
  readonly companyId: string
  readonly entryDescription: string
  /** The start of the routing number of the bank that sends the payments: eight digits. */
  readonly odfi: string
  /** Minutes after midnight in New York. From then on, the bank processes a file on its next day. */
  readonly cutoff: number
  /** The same for same-day payments. Undefined: the bank does not offer them. */
  readonly sameDayCutoff?: number | undefined
}
