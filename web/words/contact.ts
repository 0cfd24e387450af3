import { support } from './support.ts'

/** The contact form and the chat that it leads to; for an operator to edit. */
export const contactCopy = {
  title: 'Contact Us',
  intro: 'Write to us, and a person answers in the chat that opens next.',
  form: {
    title: 'Send us a message',
    send: 'Send Message',
    sending: 'Sending...',
    messageHint: 'Please don’t write card numbers or PINs here: they belong in the submission form only.',
  },
  support: {
    title: 'Support details',
    email: 'Email',
    phone: 'Phone',
  },
  times: {
    title: 'Response times',
    rows: [
      { name: 'Live chat', value: support.liveChat },
      { name: 'Email', value: support.email },
      { name: 'Phone and chat', value: support.hours },
    ],
  },
  selfHelp: {
    text: 'Many questions are answered in the',
    faq: 'FAQ',
    and: 'and the',
    help: 'Help Center',
  },
  chat: {
    title: 'Support Chat',
    session: 'Session',
    cards: [
      { title: 'Response time', text: `Usually within ${support.liveChat}` },
      { title: 'Support hours', text: support.hours },
    ],
    keep: 'Keep this page open, or bookmark it: its address is the only key to this conversation.',
    unknown: {
      title: 'This conversation does not exist',
      text: 'Its address may be cut off. You can start a new one with the contact form.',
      action: 'Contact Us',
    },
    failedToLoad: 'The messages could not be loaded.',
    loading: 'Loading your conversation...',
  },
} as const
