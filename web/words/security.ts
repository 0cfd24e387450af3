import type { LongText } from './document.ts'
import { facts } from './facts.ts'
import { paths } from './paths.ts'
import { productName } from './site.ts'

/** How we protect cards and people. Says only what the software does. */
export const securityCopy: LongText = {
  title: 'Security',
  intro: 'You hand us the number of a card that is as good as cash. This is what we do with it.',
  updated: 'November 2026',
  sections: [
    {
      id: 'card-numbers',
      title: 'Card numbers, PINs and bank numbers',
      text: [
        'Each submission gets its own random key. It encrypts the card number, the PIN, the payout account, our questions, your answers and the reasons for our decisions (AES-256-GCM) before they are stored. A master key that is not in the database locks that key, so a copy of the database alone opens nothing.',
        'Card numbers, PINs and bank numbers are never written into a log, an email or a live message. You yourself see your bank numbers by their last four digits only.',
        `${facts.eraseAfter} after a submission was declined, withdrawn or failed, we erase its numbers, its photos and the key to everything else we encrypted. We keep the number of a card that we bought until we have used the card, and erase it in the same way ${facts.eraseAfter} later. The last four digits stay.`,
      ],
    },
    {
      id: 'staff',
      title: 'What our staff can see',
      text: [
        'Staff see the last four digits of a card number and no digit of a PIN. To check a card they can reveal the whole number, with a button on that one submission. Each reveal is recorded with who did it and when, in a log that nobody can edit. So is each photo that they open at full size or download.',
        'Staff sign in separately from sellers, and their sessions end after 30 minutes without use and after 12 hours in any case.',
      ],
    },
    {
      id: 'photos',
      title: 'Photos',
      text: [
        'Every photo is redrawn without its metadata, so the place and time that a phone writes into it are discarded with the original file. It is encrypted with the key of its submission and stored under a random name, without a public address. Only you and our staff can open it.',
      ],
    },
    {
      id: 'account',
      title: 'Your account',
      text: ['What keeps others out of it:'],
      points: [
        'Your password is kept as a slow, salted hash (Argon2). Commonly leaked passwords are refused.',
        'We stop password guessing after a few wrong attempts on an account, wherever they come from. A browser where you signed in before can still sign in.',
        'Your browser holds a random session token that scripts cannot read; we store its hash only. Signing out ends the session, changing your password ends all others.',
        'We email you a link to confirm your email address. If a stranger registered with it, set a new password by email: that signs them out and removes the payment methods they saved.',
        'We email you when your password or email address changes, or a payment method is added or removed. You can undo a change of your email address for seven days.',
      ],
      links: [{ label: 'See where you are signed in', to: paths.profile }],
    },
    {
      id: 'site',
      title: 'This site',
      text: [
        'Pages run no scripts but our own and load nothing from other companies. Other sites can neither show our pages inside theirs nor send a form in your name.',
      ],
    },
    {
      id: 'trust-and-safety',
      title: 'Trust & Safety',
      text: [
        'A marketplace for gift cards attracts thieves. We keep them out so that honest sellers are paid fast:',
      ],
      points: [
        'A person reviews every card before anything is paid.',
        'We notice and investigate a card number that is submitted twice.',
        'Every step of a submission is recorded with its time and cannot be changed afterwards; you see that history too.',
        'We tell you the reason when a card is declined or a payment fails.',
      ],
    },
    {
      id: 'protect-yourself',
      title: 'Protect yourself',
      text: ['A few habits help more than any software:'],
      points: [
        `${productName} never asks for your password, and never for a card number or PIN by chat, email or phone. They belong in the submission form and nowhere else. Chat messages are not masked as card numbers are.`,
        'Never buy gift cards because someone calls or writes and tells you to pay with them, no matter who they say they are. It is a common scam.',
        'Use a password that you use nowhere else, and sign out on devices that are not yours.',
      ],
    },
    {
      id: 'report',
      title: 'Report something',
      text: ['Tell us right away, through the contact form or by email, when you:'],
      points: [
        'get a message in our name that seems wrong;',
        'believe that a stolen card is being sold here;',
        'see a sign-in or a change in your account that was not yours: change your password first;',
        'find a weakness in this site. Describe how to reproduce it, give us time to fix it before you tell others, and leave other people’s data alone. We will answer, and we are grateful.',
      ],
      links: [
        { label: 'Contact support', to: paths.contact },
        { label: 'Set a new password', to: paths.forgotPassword },
      ],
    },
  ],
}
