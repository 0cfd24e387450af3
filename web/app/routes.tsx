import type { QueryClient } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import { type ScreenName, screenList } from '#contract/screens.ts'
import { onDemand, type Route } from '#web/kit/router/index.ts'
import { Root } from './layout/Root.tsx'
import { SiteLayout } from './layout/SiteLayout.tsx'

/** The component of each screen. Each is a separate bundle, fetched on the first visit. */
const components: Record<ScreenName, () => Promise<{ default: ComponentType }>> = {
  home: () => import('#web/visitor/landing/Landing.tsx'),
  getQuote: () => import('#web/visitor/get-quote/GetQuote.tsx'),
  quote: () => import('#web/visitor/get-quote/GetQuote.tsx'),
  terms: () => import('#web/visitor/pages/Terms.tsx'),
  privacy: () => import('#web/visitor/pages/Privacy.tsx'),
  security: () => import('#web/visitor/pages/Security.tsx'),
  help: () => import('#web/visitor/pages/Help.tsx'),
  faq: () => import('#web/visitor/pages/Faq.tsx'),
  contact: () => import('#web/visitor/contact/Contact.tsx'),
  contactChat: () => import('#web/visitor/contact/ContactChat.tsx'),
  login: () => import('#web/visitor/sign-in/Login.tsx'),
  register: () => import('#web/visitor/sign-in/Register.tsx'),
  forgotPassword: () => import('#web/visitor/sign-in/ForgotPassword.tsx'),
  resetPassword: () => import('#web/visitor/sign-in/ResetPassword.tsx'),
  restoreEmail: () => import('#web/visitor/sign-in/RestoreEmail.tsx'),
  confirmEmail: () => import('#web/visitor/sign-in/ConfirmEmail.tsx'),
  confirmation: () => import('#web/seller/Confirmation.tsx'),
  sellCard: () => import('#web/seller/sell-card/SellCard.tsx'),
  transactions: () => import('#web/seller/transactions/Transactions.tsx'),
  processing: () => import('#web/seller/processing/Processing.tsx'),
  profile: () => import('#web/seller/profile/Profile.tsx'),
  admin: () => import('#web/staff/dashboard/Dashboard.tsx'),
  adminLogin: () => import('#web/staff/sign-in/AdminLogin.tsx'),
  adminChat: () => import('#web/staff/chat/ChatManagement.tsx'),
  adminBrands: () => import('#web/staff/brands/Brands.tsx'),
  adminAudit: () => import('#web/staff/audit/AuditLog.tsx'),
  adminSecurity: () => import('#web/staff/security/Security.tsx'),
}

/** Every screen of `contract/screens.ts` with its component, in the layouts of its audience. */
export function createRoutes(client: QueryClient): Route[] {
  const Base = () => <Root client={client} />
  const anyone = [Base, SiteLayout]
  const seller = [...anyone, onDemand(() => import('#web/seller/SellerArea.tsx'))]
  const staffSignIn = [Base, onDemand(() => import('#web/staff/StaffLayout.tsx'))]
  const staff = [
    ...staffSignIn,
    onDemand(() => import('#web/staff/StaffArea.tsx')),
    onDemand(() => import('#web/staff/StaffFrame.tsx')),
  ]
  const layouts = { anyone, seller, staff }
  const NotFound = onDemand(() => import('./layout/NotFound.tsx'))
  return [
    ...screenList.map(({ name, path, audience }) => ({
      path,
      components: [...(name === 'adminLogin' ? staffSignIn : layouts[audience]), onDemand(components[name])],
    })),
    { path: '/admin/*', components: [...staffSignIn, NotFound] },
    { path: '/*', components: [...anyone, NotFound] },
  ]
}
