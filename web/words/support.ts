/** When support can be reached and how soon it answers, wherever that is said; for an operator to edit. */
export const support = {
  /** Settings of the build, like the product's name. Unset, no address is shown: the contact form is the way. */
  emailAddress: import.meta.env?.SUPPORT_EMAIL || undefined,
  phoneNumber: import.meta.env?.SUPPORT_PHONE || undefined,
  hours: import.meta.env?.SUPPORT_HOURS || 'Mon-Fri, 9 AM - 6 PM EST',
  liveChat: '2-5 minutes',
  email: '2-4 hours',
} as const

/** What a chat with support says, a visitor's and a seller's. */
export const supportChat = {
  label: 'Your message',
  placeholder: 'Type your message...',
  hint: 'Press Enter to send, Shift+Enter for new line',
  waiting: 'Your message has been received. Waiting for agent response...',
  failed: { title: 'Error', description: 'Failed to send message. Please try again.' },
} as const
