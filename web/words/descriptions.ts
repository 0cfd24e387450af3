import type { IndexedScreen } from '#contract/screens.ts'
import { productName, site } from './site.ts'
import { support } from './support.ts'

/** What search results and shared links say about a screen. About 155 characters are shown. */
export const descriptions: Readonly<Record<IndexedScreen, string>> = {
  home: site.description,
  getQuote:
    'What does your gift card pay? Choose the brand, enter the value, and see the amount to the cent. No account, no fees.',
  terms: `What you can expect from ${productName} when you sell a gift card, and what we expect from you, in plain words.`,
  privacy: `What ${productName} knows about you, why, who sees it and how long it is kept. No trackers, nothing sold.`,
  security:
    'How card numbers, PINs, bank details and photos are encrypted, what staff can see, and how to stay safe from fraud.',
  help: 'Search for answers about quotes, photos, review and payment, or ask a person in the support chat.',
  faq: 'Ten short answers about selling gift cards: fees, brands, partial balances, payout methods and how long it takes.',
  contact: `Write to support and continue in the chat that opens: live chat replies in ${support.liveChat}, email in ${support.email}.`,
  login: `Sign in to ${productName} to sell a gift card and see where your submissions and payments are.`,
  register: `Create a free ${productName} account to sell gift cards and get paid by PayPal, Venmo, bank transfer and more.`,
}
