/** What the home page says and claims; for an operator to edit. */
export const landing = {
  title: 'Sell gift cards for cash',
  headline: 'The card you won’t use is worth money today.',
  intro:
    'Sell unwanted gift cards for cash at a fair share of their value. See your price in seconds, send a photo, get paid the same day.',
  getQuote: 'Get My Quote Now',
  howItWorks: 'How It Works',
  promises: ['Instant quotes', 'Secure handling', 'Same-day payout'],

  quickValues: {
    title: 'Quick value calculator',
    note: 'No hidden fees, free processing. The price you see is the price you get.',
    examples: [
      { brand: 'Amazon', monogram: 'AM', faceValue: '100.00', pays: '93.00' },
      { brand: 'iTunes', monogram: 'IT', faceValue: '50.00', pays: '45.50' },
      { brand: 'Steam', monogram: 'ST', faceValue: '25.00', pays: '22.00' },
    ],
  },

  claims: [
    { figure: '50+', text: 'supported brands' },
    { figure: '~95%', text: 'average rate' },
    { figure: '10,000+', text: 'cards traded' },
    { figure: '$2M+', text: 'paid out' },
    { figure: '4.9/5', text: 'rating' },
  ],

  brands: {
    title: 'Brands people sell most',
    all: 'View All Supported Brands',
    samples: [
      { name: 'Amazon', monogram: 'AM', rate: '93%' },
      { name: 'Apple iTunes', monogram: 'AI', rate: '91%' },
      { name: 'Walmart', monogram: 'WA', rate: '91%' },
      { name: 'Starbucks', monogram: 'ST', rate: '89%' },
      { name: 'Steam', monogram: 'SM', rate: '88%' },
      { name: 'Target', monogram: 'TA', rate: '91%' },
    ],
  },

  steps: [
    { title: 'Select Your Card', text: 'Pick the brand and tell us what is on the card.' },
    { title: 'Get Instant Quote', text: 'See to the cent what you get, before you give us anything.' },
    { title: 'Upload & Verify', text: 'Photograph the card. A person on our team reviews it.' },
    { title: 'Get Paid Fast', text: 'Once approved, the money reaches you within hours.' },
  ],

  payouts: {
    title: 'Paid the way you choose',
    intro: 'Six ways to receive your money. You decide with each card.',
    methods: ['PayPal', 'Venmo', 'Zelle', 'Chime', 'Cash App', 'Bank Transfer'],
  },

  closing: {
    title: 'What is in your drawer?',
    text: 'A quote takes ten seconds and no account.',
    createAccount: 'Create Account',
  },
} as const
