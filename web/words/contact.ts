import { support } from './support.ts'

/** The contact form and the chat it opens, for operators to edit. */
export const contactCopy = {
  title: 'Contact Us',
  intro: 'Write to us, and a person will answer in the chat that opens.',
  form: {
    title: 'Send us a message',
    send: 'Send Message',
    sending: 'Sending...',
    messageHint: 'Please do not enter card numbers or PINs here. They belong only in the submission form.',
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
    keep: 'Keep this page open or bookmark it. Its address is the only way back to this conversation.',
    unknown: {
      title: 'This conversation does not exist',
      text: 'Part of the link may be missing. You can start a new conversation with the contact form.',
      action: 'Contact Us',
    },
    failedToLoad: 'The messages could not be loaded.',
    loading: 'Loading your conversation...',
  },
} as const
