import { amazonCard } from '../submissions.ts'

/** Every text at about its maximum length, with and without places to break a line. */
const UNBROKEN = 'Pneumonoultramicroscopicsilicovolcanoconiosis'.repeat(6)
const NAME = 'Maximiliana Konstantinopolous-Wolfeschlegelsteinhausenberger'
const ADDRESS = `${'never.ends.'.repeat(15)}@example.com`

export const longNames = { firstName: NAME, lastName: NAME }

const account = { paymentAccountName: NAME, paymentAccountInfo: ADDRESS }

export const longSubmissions = [
  { ...amazonCard, ...account, submissionNotes: UNBROKEN },
  {
    ...amazonCard,
    ...account,
    brand: 'pneumonoultramicroscopicsilicovolcanoconiosis',
    denomination: '500',
    sellingPrice: '425.00',
    discountPercentage: '15.00',
    submissionNotes: 'It was a present, and I have told nobody about it. '.repeat(8),
  },
]

export const longMethod = { type: 'paypal', accountName: NAME, accountInfo: ADDRESS }

export const usualMethods = [
  { type: 'bank_transfer', accountName: NAME, routingNumber: '021000021', accountNumber: '000123456789' },
  { type: 'venmo', accountName: 'Maxi K.', accountInfo: '@maxi' },
]

export const longMessages = ['Where is my money? '.repeat(20), UNBROKEN]
