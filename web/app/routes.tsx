import type { QueryClient } from '@tanstack/react-query'
import { type ScreenName, screenList, screens } from '#contract/screens.ts'
import { type Bundle, onDemand, type Route } from '#web/kit/router/index.ts'
import { Root } from './layout/Root.tsx'
import { SiteLayout } from './layout/SiteLayout.tsx'
import type { SellerScreen } from './seller-screens.ts'
import type { StaffScreen } from './staff-screens.ts'

/** The component of each screen of visitors. Each is a separate bundle, fetched on the first visit. */
const components: Record<Exclude<ScreenName, SellerScreen | StaffScreen>, Bundle> = {
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
  login: { load: () => import('#web/visitor/sign-in/Login.tsx'), words: ['fields', 'signIn'] },
  register: { load: () => import('#web/visitor/sign-in/Register.tsx'), words: ['fields', 'signIn'] },
  forgotPassword: {
    load: () => import('#web/visitor/sign-in/ForgotPassword.tsx'),
    words: ['fields', 'signIn'],
  },
  resetPassword: {
    load: () => import('#web/visitor/sign-in/ResetPassword.tsx'),
    words: ['fields', 'signIn'],
  },
  restoreEmail: { load: () => import('#web/visitor/sign-in/RestoreEmail.tsx'), words: ['signIn'] },
  confirmEmail: { load: () => import('#web/visitor/sign-in/ConfirmEmail.tsx'), words: ['signIn'] },
  unsubscribe: {
    load: () => import('#web/visitor/sign-in/Unsubscribe.tsx'),
    words: ['signIn', 'unsubscribe'],
  },
}

function componentOf(name: ScreenName) {
  if (isOfVisitors(name)) return onDemand(components[name].load, components[name].words)
  return onDemand(
    isOfStaff(name)
      ? () => import('./staff-screens.ts').then(({ loadScreen }) => loadScreen(name))
      : () => import('./seller-screens.ts').then(({ loadScreen }) => loadScreen(name)),
  )
}

const staffLayout = (name: 'page' | 'area') =>
  onDemand(() => import('./staff-screens.ts').then(({ staffLayouts }) => staffLayouts[name]()))

const isOfVisitors = (name: ScreenName): name is keyof typeof components => name in components
const isOfStaff = (name: ScreenName): name is StaffScreen => screens[name].audience === 'staff'

/** Every screen of `contract/screens.ts` with its component, in the layouts of its audience. */
export function createRoutes(client: QueryClient): Route[] {
  const Base = () => <Root client={client} />
  const anyone = [Base, SiteLayout]
  const SellerArea = onDemand(() => import('./seller-screens.ts').then(({ loadArea }) => loadArea()))
  const seller = [...anyone, SellerArea]
  const staffSignIn = [Base, staffLayout('page')]
  const staff = [...staffSignIn, staffLayout('area')]
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
