import { MAX_PHOTO_BYTES, MAX_PHOTOS } from '#domain/photo-files.ts'
import { QUOTE_HOLDS_MINUTES } from '#domain/quote.ts'
import type { LongText } from './document.ts'
import { facts } from './facts.ts'
import { paths } from './paths.ts'
import { productName } from './site.ts'

/** Operators should have a lawyer check this before opening to the public. */
export const termsCopy: LongText = {
  title: 'Terms of Service',
  intro: `What you can expect from ${productName}, and what we expect from you. Written to be read.`,
  updated: 'November 2026',
  sections: [
    {
      id: 'service',
      title: 'What we do',
      text: [
        `${productName} buys unwanted gift cards. You get a quote, submit the card with photos, a person reviews it, and if it is approved we pay you the way you chose.`,
        'By creating an account or submitting a card you agree to these terms. Getting a quote needs neither.',
      ],
    },
    {
      id: 'account',
      title: 'Your account',
      text: ['To sell a card you need an account. It is yours alone:'],
      points: [
        'Give your real name and an email address that you read. Everything about your cards goes there.',
        'Choose a password of 8 to 128 characters that you use nowhere else. Widely known passwords are refused.',
        'Keep it to yourself. If someone else may know it, change it in your profile, which signs out every other browser.',
      ],
      links: [{ label: 'Profile Settings', to: paths.profile }],
    },
    {
      id: 'cards',
      title: 'Cards you may sell',
      text: ['When you submit a card you confirm that:'],
      points: [
        'it is yours to sell, and was neither stolen, found nor paid for with stolen money;',
        'it was issued in the United States;',
        'the value, the condition and everything else you enter are right; partial balances are accepted when you say so;',
        'you have not sold it, promised it or given its number to anyone else, and will not use it after submitting it.',
      ],
    },
    {
      id: 'quotes',
      title: 'Quotes and fees',
      text: [
        'A quote is a share of the card’s value, at the rate shown for its brand, to the cent. Each brand has a smallest and a largest amount, which the calculator shows.',
        `When you submit, the quote is computed again. If a rate changes while you fill in the form, the quote you saw still holds for ${QUOTE_HOLDS_MINUTES} minutes. After that we show you the new one, and nothing is submitted until you accept it.`,
        'There are no seller fees. What the quote says is what you are paid.',
      ],
      links: [{ label: 'Get a quote', to: paths.getQuote }],
    },
    {
      id: 'photos',
      title: 'Photos',
      text: ['We need photos to see that the card exists and is yours to sell.'],
      points: [
        'At least one clear image of each card.',
        'Front and back of physical Visa, Mastercard and OneVanilla cards, so at least two.',
        `At most ${MAX_PHOTOS} images of up to ${MAX_PHOTO_BYTES / 1024 ** 2} MB each: JPEG, PNG, WebP, GIF, AVIF, or HEIC as phones make it.`,
      ],
    },
    {
      id: 'review',
      title: 'Review',
      text: [
        `A person looks at every card. Verification ${facts.review}. Sometimes we ask you a question, and the review waits for your answer.`,
        'You get an email at each step, and the Processing page shows the whole history of your submission.',
      ],
      links: [{ label: 'See your submissions', to: paths.processing }],
    },
    {
      id: 'payment',
      title: 'Payment',
      text: [
        `We make your payment immediately on approval, to the account that you gave with the card. It arrives ${facts.paymentArrives}, depending on the payout method.`,
        'Please check what you enter. If the account is someone else’s, we cannot always get the money back.',
      ],
    },
    {
      id: 'withdraw',
      title: 'Changing your mind',
      text: [
        'You can withdraw a card while it is pending or while we wait for an answer from you. The card stays yours, nothing is paid for it, and you owe nothing. Once it is approved, the sale is final.',
      ],
    },
    {
      id: 'rejected',
      title: 'When a card is rejected or a payment fails',
      text: [
        'We may decline a card, for example because the photos cannot be read, the balance differs from what you entered, or the card was used before. You always get the reason, in an email and on the Processing page. Nothing is paid for a rejected card, and it stays yours.',
        'If a payment fails, for example because the account does not exist, you get the reason too. Contact support, and we will fix it.',
      ],
      links: [{ label: 'Contact support', to: paths.contact }],
    },
    {
      id: 'rules',
      title: 'What is not allowed',
      text: ['We decline cards from, and may stop doing business with, anyone who:'],
      points: [
        'submits cards that are not theirs, or the same card more than once;',
        'uses someone else’s name, account or payment details;',
        'tries to get other people’s data, or to disrupt the service;',
        'threatens or insults our staff.',
      ],
    },
    {
      id: 'responsibility',
      title: 'Our responsibility',
      text: [
        `We are responsible for our own mistakes. We are not responsible for what the issuer of a card, your bank or your wallet does, and we cannot promise that the site is always available. ${productName} is not affiliated with the brands whose cards it buys. Their names belong to them.`,
        'Nothing on this page limits the rights that the law gives you as a consumer.',
      ],
    },
    {
      id: 'changes',
      title: 'Changes to these terms',
      text: [
        'When we change these terms, we publish them here with their date. Cards you have already submitted are handled under the terms of that day.',
      ],
    },
  ],
}
