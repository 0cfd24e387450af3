import { otherPayoutMethods } from './facts.ts'
import { support } from './support.ts'

/** A question on /faq, also found by the search on /help; for operators to edit. */
export interface Question {
  /** The anchor, as in /faq#fees. */
  readonly id: string
  readonly question: string
  /** One string per paragraph. */
  readonly answer: readonly string[]
}

const questions: readonly Question[] = [
  {
    id: 'fees',
    question: 'What does it cost to sell a card?',
    answer: [
      'Nothing. There are no seller fees: no listing fee, no processing fee, no payout fee. The quote you see is the amount you are paid.',
    ],
  },
  {
    id: 'brands',
    question: 'Which gift cards do you buy?',
    answer: [
      'Over 100 brands, from Amazon and Walmart to Starbucks, Steam and Visa gift cards. The quote calculator lists them with their rates and with the smallest and largest amount we take.',
      'Is yours not on the list? Ask support, and a person will tell you whether we buy it.',
    ],
  },
  {
    id: 'partial-balance',
    question: 'Can I sell a partly used card?',
    answer: [
      'Yes, partial balances are accepted. Enter what is left on the card as its value and choose “Partially used” as its condition. We take a few brands only unused. If yours is one of them, we tell you in the review.',
    ],
  },
  {
    id: 'united-states',
    question: 'Do you take cards from other countries?',
    answer: [
      'No. Only United States issued cards are accepted. We cannot check a card bought elsewhere, so we decline it even if we list its brand.',
    ],
  },
  {
    id: 'payout-methods',
    question: 'How can I be paid?',
    answer: [
      `By bank transfer, PayPal, Venmo or check. The submission form also offers ${otherPayoutMethods()}. You choose for each card.`,
      'If you want a check, tell support before you submit the card.',
    ],
  },
  {
    id: 'payout-time',
    question: 'When does the money arrive?',
    answer: [
      'You receive your payment within 1-3 business days. How soon it shows in your account depends on the payout method: wallets are usually quicker than banks.',
    ],
  },
  {
    id: 'approval',
    question: 'What happens once my card is approved?',
    answer: [
      'Your payment is immediate: we pay you as soon as the card is approved, the way you chose in the form. We email you when the card is approved and again when the payment is sent.',
    ],
  },
  {
    id: 'verification-time',
    question: 'How long does verification take?',
    answer: [
      'Typically 1 hour. High-value cards get a closer review, which can take up to 24 hours. The Processing page always shows the status of your card.',
    ],
  },
  {
    id: 'safety',
    question: 'Is it safe to give you my card number?',
    answer: [
      'Your card number, PIN, payout account and photos are encrypted under a key that belongs to your submission alone. Our staff see only the last four digits. To see the whole number they have to reveal it, and we record who did that and when.',
    ],
  },
  {
    id: 'change-my-mind',
    question: 'Can I change my mind after I have submitted a card?',
    answer: [
      'Yes, while it is pending or we are waiting for your answer. Press Withdraw on the Processing page. The card stays yours, nothing is paid, and you owe nothing. Once approved, a card can no longer be withdrawn.',
    ],
  },
]

export const faqCopy = {
  title: 'Frequently Asked Questions',
  intro: 'Ten short answers. If your question is not among them, ask us.',
  questions,
  more: {
    title: 'Still wondering?',
    text: `A person answers. In live chat that takes ${support.liveChat}.`,
    contact: 'Contact Support',
    help: 'Help Center',
  },
} as const
