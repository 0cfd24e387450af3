import { withWords } from '#web/words/words.ts'

/** The files of the sellers' screens. Kept off other pages, where this list would cost 2 kB. */
const files = {
  sellCard: () => import('#web/seller/sell-card/SellCard.tsx'),
  transactions: () => import('#web/seller/transactions/Transactions.tsx'),
  processing: () => import('#web/seller/processing/Processing.tsx'),
  profile: () => import('#web/seller/profile/Profile.tsx'),
  account: () => import('#web/seller/home/Home.tsx'),
  accountCard: () => import('#web/seller/card/CardPage.tsx'),
  accountData: () => import('#web/seller/data/AccountData.tsx'),
  accountNotifications: () => import('#web/seller/notifications/AccountNotifications.tsx'),
  accountSecurity: () => import('#web/seller/security/AccountSecurity.tsx'),
}
export type SellerScreen = keyof typeof files

const settings: readonly SellerScreen[] = ['profile', 'accountData', 'accountNotifications']

export const loadScreen = (name: SellerScreen) =>
  withWords(settings.includes(name) ? 'settings' : 'seller', files[name]())

/** The layout around every screen for signed-in sellers. */
export const loadArea = () => withWords('seller', import('#web/seller/SellerArea.tsx'))
