/** The texts of the home page, for operators to edit. */
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
      { brand: 'Amazon', faceValue: '100.00', pays: '93.00' },
      { brand: 'iTunes', faceValue: '50.00', pays: '45.50' },
      { brand: 'Steam', faceValue: '25.00', pays: '22.00' },
    ],
  },

  sellingPoints: [
    { figure: '50+', text: 'Supported brands' },
    { figure: '~95%', text: 'Average rate' },
    { figure: '10,000+', text: 'Cards traded' },
    { figure: '$2M+', text: 'Paid out' },
    { figure: '4.9/5', text: 'Rating' },
  ],

  brands: {
    title: 'Brands people sell most',
    all: 'View All Supported Brands',
    samples: [
      { name: 'Amazon', slug: 'amazon', rate: '93%' },
      { name: 'Apple iTunes', slug: 'itunes', rate: '91%' },
      { name: 'Walmart', slug: 'walmart', rate: '91%' },
      { name: 'Starbucks', slug: 'starbucks', rate: '89%' },
      { name: 'Steam', slug: 'steam', rate: '88%' },
      { name: 'Target', slug: 'target', rate: '91%' },
    ],
  },

  steps: [
    { title: 'Select Your Card', text: 'Pick the brand and tell us what is on the card.' },
    { title: 'Get Instant Quote', text: 'See what you get, to the cent, before you give us anything.' },
    { title: 'Upload & Verify', text: 'Photograph the card. A person on our team reviews it.' },
    { title: 'Get Paid Fast', text: 'Once approved, the money reaches you within hours.' },
  ],

  /** Says only what the software does. /security has the details. */
  trust: {
    title: 'As good as cash, and handled like it.',
    intro: 'Anyone who has the number has the money. This is how we protect yours.',
    points: [
      {
        title: 'Locked before it is stored',
        text: 'Card number, PIN, payout account and photos are encrypted under a key made for your submission alone.',
      },
      {
        title: 'Every reveal is recorded',
        text: 'Our staff see the last four digits. If someone reveals the number, we record who and when.',
      },
      {
        title: 'You follow every step',
        text: 'You see each decision right away, with its time and reason, on your screen and by email.',
      },
      {
        title: 'Yours until it is approved',
        text: 'Changed your mind during the review? Withdraw the card. You owe nothing.',
      },
    ],
    more: 'How we protect your card',
  },

  payouts: {
    title: 'Paid the way you choose',
    intro: 'You decide for each card.',
    methods: ['PayPal', 'Venmo', 'Zelle', 'Chime', 'Cash App', 'Bank Transfer'],
  },

  closing: {
    title: 'What is in your drawer?',
    text: 'A quote takes ten seconds and needs no account.',
    createAccount: 'Create Account',
  },
} as const
