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
    /** A number that nobody can own: an operator puts the real one here. */
    phoneNumber: '(555) 010-0100',
  },
  times: {
    title: 'Response times',
    rows: [
      { name: 'Live chat', value: '2-5 minutes' },
      { name: 'Email', value: '2-4 hours' },
      { name: 'Phone and chat', value: 'Mon-Fri, 9 AM - 6 PM EST' },
    ],
  },
  selfHelp: {
    text: 'Many questions are answered in the',
    faq: 'FAQ',
    and: 'and the',
    help: 'Help Center',
  },
  failed: { title: 'Error', description: 'Failed to send message. Please try again.' },
  chat: {
    title: 'Support Chat',
    session: 'Session',
    waiting: 'Your message has been received. Waiting for agent response...',
    placeholder: 'Type your message...',
    hint: 'Press Enter to send, Shift+Enter for new line',
    cards: [
      { title: 'Response time', text: 'Usually within 2-5 minutes' },
      { title: 'Support hours', text: 'Mon-Fri, 9 AM - 6 PM EST' },
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
