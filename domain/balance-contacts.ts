/** Where the balance of a brand's cards can be asked for. */
interface BalanceContact {
  readonly url?: string
  readonly phone?: string
}

/**
 * From card terms and lists in public texts. We have tried none of them, so the catalog says when a shop has checked an entry. A brand
 * without an entry has no public page, or none that we are sure of. Visa and Mastercard cards name their bank's page on the back.
 */
export const balanceContacts: Readonly<Record<string, BalanceContact>> = {
  amazon: { url: 'https://www.amazon.com/gc/balance' },
  target: { url: 'https://www.target.com/guest/gift-card-balance', phone: '1-800-544-2943' },
  walmart: { phone: '1-888-537-5503' },
  best_buy: { url: 'https://www.bestbuy.com/gift-card-balance', phone: '1-888-716-7994' },
  nike: { url: 'https://www.nike.com/orders/gift-card-lookup', phone: '1-800-806-6453' },
  adidas: { url: 'https://www.adidas.com/giftcard' },
  macys: { phone: '1-800-511-2752' },
  starbucks: { url: 'https://www.starbucks.com/card', phone: '1-800-782-7282' },
  itunes: { url: 'https://secure.store.apple.com/shop/giftcard/balance', phone: '1-800-275-2273' },
  sephora: { url: 'https://www.sephora.com/beauty/giftcards', phone: '1-888-860-7897' },
  ulta: { url: 'https://www.ulta.com/guestservices/gift-cards/faq', phone: '1-888-566-2736' },
  home_depot: { url: 'https://www.homedepot.com/mycheckout/giftcard' },
  lowes: { url: 'https://www.lowes.com/giftcards', phone: '1-800-560-7172' },
  onevanilla: { url: 'https://balance.vanillagift.com/', phone: '1-877-770-6408' },
  american_express: { url: 'https://balance.amexgiftcard.com/', phone: '1-877-297-4438' },
}
