import type { QueryClient } from '@tanstack/react-query'
import { type ScreenName, screenList, screens } from '#contract/screens.ts'
import { onDemand, type Route } from '#web/kit/router/index.ts'
import { withWords } from '#web/words/words.ts'
import { Root } from './layout/Root.tsx'
import { SiteLayout } from './layout/SiteLayout.tsx'
import type { SellerScreen } from './seller-screens.ts'
import type { StaffScreen } from './staff-screens.ts'

/** The file of each screen of visitors. Each is a separate bundle, fetched on the first visit. */
const files = {
  home: () => import('#web/visitor/landing/Landing.tsx'),
  getQuote: () => import('#web/visitor/get-quote/GetQuote.tsx'),
  quote: () => import('#web/visitor/get-quote/GetQuote.tsx'),
  terms: () => withWords('pages', import('#web/visitor/pages/Terms.tsx')),
  privacy: () => withWords('pages', import('#web/visitor/pages/Privacy.tsx')),
  security: () => withWords('pages', import('#web/visitor/pages/Security.tsx')),
  help: () => withWords('pages', import('#web/visitor/pages/Help.tsx')),
  faq: () => withWords('pages', import('#web/visitor/pages/Faq.tsx')),
  contact: () => import('#web/visitor/contact/Contact.tsx'),
  contactChat: () => import('#web/visitor/contact/ContactChat.tsx'),
  confirmation: () => import('#web/seller/Confirmation.tsx'),
  login: () => import('#web/visitor/sign-in/Login.tsx'),
  register: () => import('#web/visitor/sign-in/Register.tsx'),
  forgotPassword: () => import('#web/visitor/sign-in/ForgotPassword.tsx'),
  resetPassword: () => import('#web/visitor/sign-in/ResetPassword.tsx'),
  restoreEmail: () => import('#web/visitor/sign-in/RestoreEmail.tsx'),
  confirmEmail: () => import('#web/visitor/sign-in/ConfirmEmail.tsx'),
  unsubscribe: () => import('#web/visitor/sign-in/Unsubscribe.tsx'),
} satisfies Record<Exclude<ScreenName, SellerScreen | StaffScreen>, unknown>

function componentOf(name: ScreenName) {
  if (isOfVisitors(name)) return onDemand(files[name])
  return onDemand(
    isOfStaff(name)
      ? () => import('./staff-screens.ts').then(({ loadScreen }) => loadScreen(name))
      : () => import('./seller-screens.ts').then(({ loadScreen }) => loadScreen(name)),
  )
}

const staffLayout = (name: 'page' | 'area' | 'notFound') =>
  onDemand(() => import('./staff-screens.ts').then(({ staffLayouts }) => staffLayouts[name]()))

const isOfVisitors = (name: ScreenName): name is keyof typeof files => name in files
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
    { path: '/admin/*', components: [...staffSignIn, staffLayout('notFound')] },
    { path: '/*', components: [...anyone, NotFound] },
  ]
}
