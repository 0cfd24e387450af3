import type { QueryClient } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import { type ScreenName, screenList } from '#contract/screens.ts'
import { onDemand, type Route } from '#web/kit/router/index.ts'
import type { Namespace } from '#words/keys.ts'
import { Root } from './layout/Root.tsx'
import { SiteLayout } from './layout/SiteLayout.tsx'
import type { StaffScreen } from './staff-screens.ts'

interface Bundle {
  load: () => Promise<{ default: ComponentType }>
  /** The texts it needs besides `site`. A test compares them with its imports. */
  words?: readonly Namespace[]
}

/** The component of each screen of customers. Each is a separate bundle, fetched on the first visit. */
const components: Record<Exclude<ScreenName, StaffScreen>, Bundle> = {
  home: { load: () => import('#web/visitor/landing/Landing.tsx'), words: ['landing', 'payments'] },
  getQuote: {
    load: () => import('#web/visitor/get-quote/GetQuote.tsx'),
    words: ['cards', 'fields', 'quote'],
  },
  quote: { load: () => import('#web/visitor/get-quote/GetQuote.tsx'), words: ['cards', 'fields', 'quote'] },
  terms: { load: () => import('#web/visitor/pages/Terms.tsx'), words: ['pages', 'terms'] },
  privacy: { load: () => import('#web/visitor/pages/Privacy.tsx'), words: ['pages', 'privacy'] },
  security: { load: () => import('#web/visitor/pages/Security.tsx'), words: ['pages', 'security'] },
  help: { load: () => import('#web/visitor/pages/Help.tsx'), words: ['faq', 'help', 'payments'] },
  faq: { load: () => import('#web/visitor/pages/Faq.tsx'), words: ['faq', 'payments'] },
  contact: {
    load: () => import('#web/visitor/contact/Contact.tsx'),
    words: ['chat', 'contact', 'fields', 'support'],
  },
  contactChat: {
    load: () => import('#web/visitor/contact/ContactChat.tsx'),
    words: ['chat', 'contact', 'support'],
  },
  login: { load: () => import('#web/visitor/sign-in/Login.tsx'), words: ['cards', 'fields', 'signIn'] },
  register: { load: () => import('#web/visitor/sign-in/Register.tsx'), words: ['cards', 'fields', 'signIn'] },
  forgotPassword: {
    load: () => import('#web/visitor/sign-in/ForgotPassword.tsx'),
    words: ['cards', 'fields', 'signIn'],
  },
  resetPassword: {
    load: () => import('#web/visitor/sign-in/ResetPassword.tsx'),
    words: ['cards', 'fields', 'signIn'],
  },
  restoreEmail: { load: () => import('#web/visitor/sign-in/RestoreEmail.tsx'), words: ['cards', 'signIn'] },
  confirmEmail: { load: () => import('#web/visitor/sign-in/ConfirmEmail.tsx'), words: ['cards', 'signIn'] },
  unsubscribe: {
    load: () => import('#web/visitor/sign-in/Unsubscribe.tsx'),
    words: ['cards', 'signIn', 'unsubscribe'],
  },
  confirmation: { load: () => import('#web/seller/Confirmation.tsx'), words: ['confirmation', 'statuses'] },
  sellCard: {
    load: () => import('#web/seller/sell-card/SellCard.tsx'),
    words: ['cards', 'fields', 'payments', 'payoutMethod', 'photos', 'sellCard'],
  },
  transactions: {
    load: () => import('#web/seller/transactions/Transactions.tsx'),
    words: ['appeal', 'cards', 'payments', 'payoutStatus', 'seller', 'statuses', 'transactions'],
  },
  processing: {
    load: () => import('#web/seller/processing/Processing.tsx'),
    words: ['appeal', 'cards', 'payments', 'payoutStatus', 'processing', 'seller', 'statuses'],
  },
  profile: {
    load: () => import('#web/seller/profile/Profile.tsx'),
    words: ['fields', 'payments', 'profile', 'seller'],
  },
  account: {
    load: () => import('#web/seller/home/Home.tsx'),
    words: ['account', 'payments', 'payoutStatus', 'processing', 'seller', 'statuses'],
  },
  accountCard: {
    load: () => import('#web/seller/card/CardPage.tsx'),
    words: ['account', 'appeal', 'cards', 'payments', 'payoutStatus', 'processing', 'seller', 'statuses'],
  },
  accountData: {
    load: () => import('#web/seller/data/AccountData.tsx'),
    words: ['accountData', 'fields', 'seller'],
  },
  accountNotifications: {
    load: () => import('#web/seller/notifications/AccountNotifications.tsx'),
    words: ['accountNotifications', 'seller'],
  },
  accountSecurity: {
    load: () => import('#web/seller/security/AccountSecurity.tsx'),
    words: ['accountSecurity', 'fields', 'passkeys', 'seller'],
  },
}

function componentOf(name: ScreenName) {
  if (!isOfStaff(name)) return onDemand(components[name].load, components[name].words)
  return onDemand(() => import('./staff-screens.ts').then(({ staffScreens }) => staffScreens[name]()))
}

const isOfStaff = (name: ScreenName): name is StaffScreen => !(name in components)

/** Every screen of `contract/screens.ts` with its component, in the layouts of its audience. */
export function createRoutes(client: QueryClient): Route[] {
  const Base = () => <Root client={client} />
  const anyone = [Base, SiteLayout]
  const seller = [...anyone, onDemand(() => import('#web/seller/SellerArea.tsx'), ['seller'])]
  const staffSignIn = [Base, onDemand(() => import('#web/staff/StaffLayout.tsx'))]
  const staff = [...staffSignIn, onDemand(() => import('#web/staff/StaffArea.tsx'))]
  const layouts = { anyone, seller, staff }
  const NotFound = onDemand(() => import('./layout/NotFound.tsx'))
  return [
    ...screenList.map(({ name, path, audience }) => ({
      path,
      components: [...(name === 'adminLogin' ? staffSignIn : layouts[audience]), componentOf(name)],
    })),
    { path: '/admin/*', components: [...staffSignIn, NotFound] },
    { path: '/*', components: [...anyone, NotFound] },
  ]
}
