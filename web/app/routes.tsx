import type { QueryClient } from '@tanstack/react-query'
import type { Route } from '#web/kit/router/index.ts'
import { paths } from '#web/words/paths.ts'
import { Root } from './layout/Root.tsx'
import { SiteLayout } from './layout/SiteLayout.tsx'
import { staffRoutes } from './staff-routes.tsx'

/** The table of contents. Every screen is a bundle of its own, fetched when somebody goes there. */
export function createRoutes(client: QueryClient): Route[] {
  return [
    {
      element: <Root client={client} />,
      children: [
        {
          element: <SiteLayout />,
          children: [
            ...publicRoutes,
            // Shows nothing but what its address says, so that it asks nobody to sign in.
            { path: paths.confirmation, lazy: () => import('#web/seller/Confirmation.tsx') },
            { lazy: () => import('#web/seller/SellerArea.tsx'), children: sellerRoutes },
            { path: '*', lazy: () => import('./layout/NotFound.tsx') },
          ],
        },
        ...staffRoutes,
      ],
    },
  ]
}

const publicRoutes: Route[] = [
  { path: paths.home, lazy: () => import('#web/visitor/landing/Landing.tsx') },
  { path: paths.getQuote, lazy: () => import('#web/visitor/get-quote/GetQuote.tsx') },
  { path: paths.quote, lazy: () => import('#web/visitor/get-quote/GetQuote.tsx') },
  { path: paths.terms, lazy: () => import('#web/visitor/pages/Terms.tsx') },
  { path: paths.privacy, lazy: () => import('#web/visitor/pages/Privacy.tsx') },
  { path: paths.security, lazy: () => import('#web/visitor/pages/Security.tsx') },
  { path: paths.help, lazy: () => import('#web/visitor/pages/Help.tsx') },
  { path: paths.faq, lazy: () => import('#web/visitor/pages/Faq.tsx') },
  { path: paths.contact, lazy: () => import('#web/visitor/contact/Contact.tsx') },
  { path: paths.contactChat, lazy: () => import('#web/visitor/contact/ContactChat.tsx') },
  { path: paths.login, lazy: () => import('#web/visitor/sign-in/Login.tsx') },
  { path: paths.register, lazy: () => import('#web/visitor/sign-in/Register.tsx') },
  { path: paths.forgotPassword, lazy: () => import('#web/visitor/sign-in/ForgotPassword.tsx') },
  { path: paths.resetPassword, lazy: () => import('#web/visitor/sign-in/ResetPassword.tsx') },
  { path: paths.restoreEmail, lazy: () => import('#web/visitor/sign-in/RestoreEmail.tsx') },
  { path: paths.confirmEmail, lazy: () => import('#web/visitor/sign-in/ConfirmEmail.tsx') },
]

const sellerRoutes: Route[] = [
  { path: paths.sellCard, lazy: () => import('#web/seller/sell-card/SellCard.tsx') },
  { path: paths.transactions, lazy: () => import('#web/seller/transactions/Transactions.tsx') },
  { path: paths.processing, lazy: () => import('#web/seller/processing/Processing.tsx') },
  { path: paths.profile, lazy: () => import('#web/seller/profile/Profile.tsx') },
]
