import type { Bundle } from '#web/kit/router/index.ts'
import { withWords } from '#web/words/words.ts'

/** The layout around every screen for signed-in sellers. */
export const sellerArea = {
  load: () => import('#web/seller/SellerArea.tsx'),
  words: ['seller'],
} satisfies Bundle

/** The screens of sellers with the texts they need besides `site`. The list of their files would be 2 kB on every page. */
export const sellerScreens = {
  confirmation: { load: () => import('#web/seller/Confirmation.tsx'), words: ['confirmation', 'statuses'] },
  sellCard: {
    load: () => import('#web/seller/sell-card/SellCard.tsx'),
    words: ['accountFields', 'cards', 'fields', 'payments', 'payoutMethod', 'photos', 'sellCard'],
  },
  transactions: {
    load: () => import('#web/seller/transactions/Transactions.tsx'),
    words: ['appeal', 'cards', 'payments', 'payoutStatus', 'seller', 'statuses', 'transactions'],
  },
  processing: {
    load: () => import('#web/seller/processing/Processing.tsx'),
    words: ['account', 'appeal', 'cards', 'payments', 'payoutStatus', 'processing', 'seller', 'statuses'],
  },
  profile: {
    load: () => import('#web/seller/profile/Profile.tsx'),
    words: ['fields', 'payments', 'profile', 'seller', 'taxDetails'],
  },
  account: {
    load: () => import('#web/seller/home/Home.tsx'),
    words: ['account', 'payments', 'payoutStatus', 'processing', 'seller', 'statuses'],
  },
  accountCard: {
    load: () => import('#web/seller/card/CardPage.tsx'),
    words: ['account', 'appeal', 'cards', 'payments', 'payoutStatus', 'processing', 'seller', 'statuses'],
  },
  accountData: {
    load: () => import('#web/seller/data/AccountData.tsx'),
    words: ['accountData', 'fields', 'seller'],
  },
  accountNotifications: {
    load: () => import('#web/seller/notifications/AccountNotifications.tsx'),
    words: ['accountNotifications', 'seller'],
  },
  accountSecurity: {
    load: () => import('#web/seller/security/AccountSecurity.tsx'),
    words: ['accountSecurity', 'fields', 'passkeys', 'profile', 'seller'],
  },
} satisfies Record<string, Bundle>
export type SellerScreen = keyof typeof sellerScreens

export function loadScreen(name: SellerScreen) {
  const { load, words } = sellerScreens[name]
  return withWords(words, load())
}

export const loadArea = () => withWords(sellerArea.words, sellerArea.load())
