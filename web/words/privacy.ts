import type { LongText } from './document.ts'
import { facts } from './facts.ts'
import { paths } from './paths.ts'
import { productName } from './site.ts'

/**
 * What the software keeps of people. Whoever changes what it keeps changes this text too; an operator who sets
 * ERASE_AFTER_DAYS changes the 90 days in facts.ts.
 */
export const privacyCopy: LongText = {
  title: 'Privacy Policy',
  intro: `What ${productName} knows about you, why, who sees it, and how long it stays.`,
  updated: 'November 2026',
  sections: [
    {
      id: 'short',
      title: 'In short',
      text: ['We keep what is needed to buy your card and to pay you.'],
      points: [
        'No advertising, no third-party analytics, and nothing is loaded from other companies’ servers.',
        'We do not sell your data.',
        'Card numbers, PINs, payout accounts and photos are encrypted. Staff see the numbers masked until they deliberately ask for one, and that is recorded.',
      ],
    },
    {
      id: 'collected',
      title: 'What we keep',
      text: ['All of it comes from you or from your use of the site:'],
      points: [
        'Your account: first and last name, username, email address and whether you have confirmed it, and a hash of your password, from which the password cannot be read.',
        'Your cards: brand, value, number, PIN, expiration date, format, condition, notes and photos.',
        'Your payout details: method, name of the account holder, and the account or the routing and account number.',
        'What happened to each card: every step with its time, who took it, and the reason. The texts (questions, answers and reasons) are encrypted.',
        'What you write to us: chat messages, and the name, email address and subject of the contact form.',
        'Where you are signed in: when, and what your browser calls itself, so that you can recognise and end those sessions.',
      ],
    },
    {
      id: 'use',
      title: 'What we use it for',
      text: ['Only for this:'],
      points: [
        'to quote, review and pay for your card, and to write to you at each step;',
        'to answer you;',
        'to keep stolen cards and stolen accounts out: for example we notice when a card number is submitted twice, and we count failed sign-ins.',
      ],
    },
    {
      id: 'photos',
      title: 'Your photos',
      text: [
        'A phone writes the place, the time and its own model into a photo. We keep none of that: each photo is decoded and drawn anew, without its metadata, and the file you uploaded is discarded. What is kept is encrypted and can be opened by you and by our staff, and by nobody through a public address.',
      ],
    },
    {
      id: 'who',
      title: 'Who sees it',
      text: [
        'Our staff, to do their work. Card numbers, PINs and payout accounts are masked for them as well; showing one in full takes a button, and each use of it is recorded with who and when. Opening or downloading a photo in full size is recorded in the same way.',
        'Others learn only what they must: whoever carries out the payment learns the account and the amount, whoever delivers our mail learns your address and what the mail says. Card numbers, PINs and bank numbers are never in a mail.',
        'Beyond that we give data away only where the law obliges us to.',
      ],
    },
    {
      id: 'browser',
      title: 'Cookies and your browser',
      text: ['There are no advertising or tracking cookies. What your browser keeps for us:'],
      points: [
        'A cookie that keeps you signed in. It ends when you sign out, or after 30 days without a visit.',
        'A cookie that recognises a browser you have signed in from, so that others who guess at your password cannot lock you out. We forget it after 400 days without use.',
        'Whether you chose the light or the dark theme.',
        'Until you close the tab, where you were going when we asked you to sign in, and what helps you not to lose a form.',
      ],
    },
    {
      id: 'how-long',
      title: 'How long it stays',
      text: ['Different things, different times:'],
      points: [
        'Sessions that have run out are deleted within the hour.',
        'Links for a new password work once and for one hour, links that confirm an email address for seven days; their traces are deleted 30 days later.',
        'Counts of attempts by network address are deleted within the hour after they have run out.',
        'Photos that never became part of a submission are deleted after a day.',
        `${facts.eraseAfter} after a submission was declined, withdrawn or failed, its card number, PIN, expiration date, payout account and photos are erased and its key is destroyed, so that copies of them and the texts in its history cannot be opened either. We keep all of this for a card that we bought until we have used the card, and erase it in the same way ${facts.eraseAfter} later. What stays is the last four digits, the account in masked form, and a keyed fingerprint by which we notice the same card or account again.`,
        'When staff remove a submission, all of that is erased at once, the last four digits and the fingerprint included.',
        'Payment methods saved in your profile stay until you delete them.',
        'Completed sales, with their history and payments, stay as records. The log of what staff did cannot be edited, by us neither; there is no card number, PIN or bank number in it.',
      ],
    },
    {
      id: 'rights',
      title: 'Your choices',
      text: ['You can, at any time:'],
      points: [
        'see and correct your name and email address, and delete saved payment methods, in your profile;',
        'see where you are signed in, and sign out everywhere else;',
        'withdraw a card while it is pending;',
        'ask us for a copy of your data, or to delete your account. Write to support; a person answers and tells you what has to stay, and why.',
      ],
      links: [
        { label: 'Profile Settings', to: paths.profile },
        { label: 'Contact support', to: paths.contact },
      ],
    },
    {
      id: 'changes',
      title: 'Changes to this page',
      text: ['When what we keep changes, this page changes with it, and so does its date.'],
    },
  ],
}
