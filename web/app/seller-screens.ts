import { withWords } from '#web/words/words.ts'

/** The layout around every screen for signed-in sellers. */
export const sellerArea = () => withWords(['seller'], import('#web/seller/SellerArea.tsx'))

/** The screens of sellers with the texts they need besides `site`. The list of their files would be 2 kB on every page. */
export const sellerScreens = {
  confirmation: () => withWords(['confirmation', 'statuses'], import('#web/seller/Confirmation.tsx')),
  sellCard: () =>
    withWords(
      ['accountFields', 'cards', 'fields', 'payments', 'payoutMethod', 'photos', 'sellCard'],
      import('#web/seller/sell-card/SellCard.tsx'),
    ),
  transactions: () =>
    withWords(
      ['appeal', 'cards', 'payments', 'payoutStatus', 'seller', 'statuses', 'transactions'],
      import('#web/seller/transactions/Transactions.tsx'),
    ),
  processing: () =>
    withWords(
      ['account', 'appeal', 'cards', 'payments', 'payoutStatus', 'processing', 'seller', 'statuses'],
      import('#web/seller/processing/Processing.tsx'),
    ),
  profile: () =>
    withWords(['fields', 'payments', 'profile', 'seller'], import('#web/seller/profile/Profile.tsx')),
  account: () =>
    withWords(
      ['account', 'payments', 'payoutStatus', 'processing', 'seller', 'statuses'],
      import('#web/seller/home/Home.tsx'),
    ),
  accountCard: () =>
    withWords(
      ['account', 'appeal', 'cards', 'payments', 'payoutStatus', 'processing', 'seller', 'statuses'],
      import('#web/seller/card/CardPage.tsx'),
    ),
  accountData: () =>
    withWords(['accountData', 'fields', 'seller'], import('#web/seller/data/AccountData.tsx')),
  accountNotifications: () =>
    withWords(
      ['accountNotifications', 'seller'],
      import('#web/seller/notifications/AccountNotifications.tsx'),
    ),
  accountSecurity: () =>
    withWords(
      ['accountSecurity', 'fields', 'passkeys', 'seller'],
      import('#web/seller/security/AccountSecurity.tsx'),
    ),
}
export type SellerScreen = keyof typeof sellerScreens
