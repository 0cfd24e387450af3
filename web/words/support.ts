/** Support hours and response times, for operators to edit. */
export const support = {
  /** Build settings, like the product's name. If unset, no address is shown, and people use the contact form. */
  emailAddress: import.meta.env?.SUPPORT_EMAIL || undefined,
  phoneNumber: import.meta.env?.SUPPORT_PHONE || undefined,
  hours: import.meta.env?.SUPPORT_HOURS || 'Mon-Fri, 9 AM - 6 PM EST',
  liveChat: '2-5 minutes',
  email: '2-4 hours',
} as const

/** Texts of the support chat, for visitors and sellers. */
export const supportChat = {
  label: 'Your message',
  placeholder: 'Type your message...',
  hint: 'Press Enter to send, Shift+Enter for new line',
  waiting: 'Your message has been received. Waiting for agent response...',
  failed: { title: 'Error', description: 'Failed to send message. Please try again.' },
} as const
