/** A build setting. */
export const productName: string = import.meta.env?.PRODUCT_NAME ?? 'Unspent'

export const site = {
  tagline: 'Sell unwanted gift cards for cash',
  description:
    'Sell unwanted gift cards for cash. See what your card pays in seconds, send it in for review and get paid the same day.',
  blurb:
    'Turn gift cards you will not use into cash. Instant quotes, a person who reviews every card, and a payout the way you choose.',
  copyright: `© 2025 ${productName}. All rights reserved.`,
} as const
