import { support } from './support.ts'

export const getQuoteCopy = {
  title: 'Instant Quote Calculator',
  intro: 'Choose your card, enter its value, and see what you get, to the cent. No account needed.',
  popular: 'Popular Brands',
  all: 'All Brands',
  needHelp: 'Need Help?',
  help: `Not sure which card you have, or is yours not listed? A person usually answers within ${support.liveChat}.`,
} as const
