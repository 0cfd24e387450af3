import { facts } from './facts.ts'
import { paths } from './paths.ts'
import { support } from './support.ts'

/** A subject and the screen that explains it. */
export interface Topic {
  readonly title: string
  readonly text: string
  readonly to: string
}

export interface TopicGroup {
  readonly title: string
  readonly topics: readonly Topic[]
}

const groups: readonly TopicGroup[] = [
  {
    title: 'Selling a card',
    topics: [
      {
        title: 'Get a quote',
        text: 'Choose the brand, enter the value, see what your card pays. No account needed.',
        to: paths.getQuote,
      },
      {
        title: 'Which brands we buy',
        text: 'Brands and their limits, and what to do when yours is not listed.',
        to: `${paths.faq}#brands`,
      },
      {
        title: 'Cards with a partial balance',
        text: 'Partly used cards are accepted; enter what is left.',
        to: `${paths.faq}#partial-balance`,
      },
      {
        title: 'Photos of your card',
        text: 'How many images we need, what they must show, and which formats and sizes we accept.',
        to: `${paths.terms}#photos`,
      },
    ],
  },
  {
    title: 'Review and payment',
    topics: [
      {
        title: 'Where your card is now',
        text: 'Status and history of each submission; answer a question or withdraw it.',
        to: paths.processing,
      },
      {
        title: 'How long verification takes',
        text: `Verification ${facts.review}.`,
        to: `${paths.faq}#verification-time`,
      },
      {
        title: 'When the money arrives',
        text: 'Payout times by payment method.',
        to: `${paths.faq}#payout-time`,
      },
      {
        title: 'Your payments so far',
        text: 'Transaction history with amounts, payout methods and the reasons for each status.',
        to: paths.transactions,
      },
      {
        title: 'A card was rejected or a payment failed',
        text: 'What it means and what to do next.',
        to: `${paths.terms}#rejected`,
      },
    ],
  },
  {
    title: 'Your account',
    topics: [
      {
        title: 'Profile and payment methods',
        text: 'Change your name or email, add PayPal, Venmo, a bank account or another method.',
        to: paths.profile,
      },
      {
        title: 'Confirm your email',
        text: 'Open the link we emailed you, or have it sent again.',
        to: paths.profile,
      },
      {
        title: 'Forgotten password',
        text: 'We email you a link to set a new password.',
        to: paths.forgotPassword,
      },
      {
        title: 'Create an account',
        text: 'You need one to sell a card, but not for a quote.',
        to: paths.register,
      },
    ],
  },
  {
    title: 'Safety',
    topics: [
      {
        title: 'How your card is protected',
        text: 'Encryption, masked numbers, recorded access, and when data is erased.',
        to: paths.security,
      },
      {
        title: 'Report something suspicious',
        text: 'Messages in our name, a stolen card, a sign-in that was not yours, or a weakness in this site.',
        to: `${paths.security}#report`,
      },
      {
        title: 'What we know about you',
        text: 'What personal data we keep, why, and for how long.',
        to: paths.privacy,
      },
    ],
  },
]

export const helpCopy = {
  title: 'Help Center',
  intro: 'Search, pick a topic, or ask a person.',
  search: {
    label: 'Search for help',
    placeholder: 'Fees, photos, PayPal...',
    results: 'Search results',
    nothing: 'Nothing found for',
    advice: 'Try one shorter word, such as “card” or “payment”, or ask us. A person answers.',
  },
  topics: 'Topics',
  groups,
  faq: {
    title: 'Frequently asked',
    /** Ids of the questions shown here; the rest are on /faq. */
    shown: ['fees', 'payout-methods', 'payout-time', 'partial-balance'],
    all: 'All ten questions',
  },
  contact: {
    title: 'Ask a person',
    text: 'When you are signed in, Support chat is on every page. Never send a card number or PIN in a message.',
    contactSupport: 'Contact Support',
    email: 'Email Us',
    times: [
      { name: 'Live chat', value: support.liveChat },
      { name: 'Email', value: support.email },
      { name: 'Hours', value: support.hours },
    ],
  },
} as const
