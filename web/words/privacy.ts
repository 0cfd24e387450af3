import type { LongText } from './document.ts'
import { facts } from './facts.ts'
import { paths } from './paths.ts'
import { productName } from './site.ts'

/**
 * Change this text together with what the software stores. Operators who set ERASE_AFTER_DAYS also change the 90 days
 * in facts.ts.
 */
export const privacyCopy: LongText = {
  title: 'Privacy Policy',
  intro: `What ${productName} knows about you, why, who sees it, and how long we keep it.`,
  updated: 'November 2026',
  sections: [
    {
      id: 'short',
      title: 'In short',
      text: ['We keep what is needed to buy your card and to pay you.'],
      points: [
        'No advertising, no third-party analytics, and nothing is loaded from other companies’ servers.',
        'We do not sell your data.',
        'Card numbers, PINs, payout accounts and photos are encrypted. Staff see masked numbers unless they deliberately reveal one, and every reveal is recorded.',
      ],
    },
    {
      id: 'collected',
      title: 'What we keep',
      text: ['All of it comes from you or from your use of the site:'],
      points: [
        'Your account: first and last name, username, email address and whether you have confirmed it, and a hash of your password, which does not reveal the password.',
        'Your cards: brand, value, number, PIN, expiration date, format, condition, notes and photos.',
        'Your payout details: method, name of the account holder, and the account or the routing and account number.',
        'The history of each card: every step with its time, who took it, and the reason. The texts (questions, answers and reasons) are encrypted.',
        'What you write to us: chat messages, and the name, email address and subject of the contact form.',
        'Where you are signed in: the time and the name of your browser, so that you can recognize and end those sessions.',
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
        'Phones write the place, the time and their model into a photo. We keep none of that. Each photo is redrawn without its metadata, and the file you uploaded is discarded. We encrypt what we keep, and only you and our staff can open it. Photos have no public address.',
      ],
    },
    {
      id: 'who',
      title: 'Who sees it',
      text: [
        'Our staff, to do their work. Card numbers, PINs and payout accounts are masked for them too. They can reveal one, and each reveal is recorded with who did it and when. So is downloading a photo or opening it at full size.',
        'Others learn only what they need: the company that makes the payment learns the account and the amount, and the one that delivers our email learns your address and the text. Card numbers, PINs and bank numbers are never in an email.',
        'Beyond that, we share data only where the law requires it.',
      ],
    },
    {
      id: 'browser',
      title: 'Cookies and your browser',
      text: ['There are no advertising or tracking cookies. What your browser keeps for us:'],
      points: [
        'A cookie that keeps you signed in. It ends when you sign out, or after 30 days without a visit.',
        'A cookie that recognizes a browser you have signed in from, so that people who guess your password cannot lock you out. It expires after 400 days without use.',
        'Whether you chose the light or the dark theme.',
        'Until you close the tab: the page you wanted when we asked you to sign in, and parts of a form you have started, so that you do not lose them.',
      ],
    },
    {
      id: 'how-long',
      title: 'How long we keep it',
      text: ['It depends on what it is:'],
      points: [
        'Expired sessions are deleted within the hour.',
        'Links for a new password work once, for one hour. Links that confirm an email address work for seven days. We delete our records of both 30 days later.',
        'Counts of attempts by network address are deleted within an hour after they expire.',
        'Photos that never became part of a submission are deleted after a day.',
        `${facts.eraseAfter} after a submission was declined, withdrawn or failed, we erase its card number, PIN, expiration date, payout account and photos and destroy its key, so that copies of them and the texts in its history cannot be opened either. For a card we bought, we keep all of this until we have used the card, and erase it the same way ${facts.eraseAfter} later. We keep the last four digits, the masked account, and a keyed fingerprint that lets us recognize the same card or account.`,
        'When staff remove a submission, all of that is erased immediately, including the last four digits and the fingerprint.',
        'Payment methods saved in your profile stay until you delete them.',
        'Completed sales, with their history and payments, are kept as records. The log of what staff did cannot be edited, not even by us. It contains no card numbers, PINs or bank numbers.',
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
        'ask us for a copy of your data, or to delete your account. Write to support, and a person will tell you what we have to keep and why.',
      ],
      links: [
        { label: 'Profile Settings', to: paths.profile },
        { label: 'Contact support', to: paths.contact },
      ],
    },
    {
      id: 'changes',
      title: 'Changes to this page',
      text: ['When we change what we keep, we update this page and its date.'],
    },
  ],
}
