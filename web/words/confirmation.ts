export const confirmationCopy = {
  title: 'Your card is in review',
  intro: 'We have everything we need. You can close this page. We email you at every step.',
  next: [
    { title: 'Review', text: 'A person checks your card and photos within 1-3 hours.' },
    { title: 'Payment', text: 'We pay you immediately on approval, the way you chose.' },
    { title: 'Email notifications', text: 'You get an email each time the status of your card changes.' },
  ],
} as const
