import type { QueryClient } from '@tanstack/react-query'
import { Root } from './layout/Root.tsx'
import { SiteLayout } from './layout/SiteLayout.tsx'
import { paths } from './paths.ts'
import type { Route } from './router/index.ts'
import { staffRoutes } from './staff/routes.tsx'

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
            { path: paths.confirmation, lazy: () => import('./seller/Confirmation.tsx') },
            { lazy: () => import('./seller/SellerArea.tsx'), children: sellerRoutes },
            { path: '*', lazy: () => import('./layout/NotFound.tsx') },
          ],
        },
        ...staffRoutes,
      ],
    },
  ]
}

const publicRoutes: Route[] = [
  { path: paths.home, lazy: () => import('./public/landing/Landing.tsx') },
  { path: paths.getQuote, lazy: () => import('./public/get-quote/GetQuote.tsx') },
  { path: paths.quote, lazy: () => import('./public/get-quote/GetQuote.tsx') },
  { path: paths.terms, lazy: () => import('./public/pages/Terms.tsx') },
  { path: paths.privacy, lazy: () => import('./public/pages/Privacy.tsx') },
  { path: paths.security, lazy: () => import('./public/pages/Security.tsx') },
  { path: paths.help, lazy: () => import('./public/pages/Help.tsx') },
  { path: paths.faq, lazy: () => import('./public/pages/Faq.tsx') },
  { path: paths.contact, lazy: () => import('./public/contact/Contact.tsx') },
  { path: paths.contactChat, lazy: () => import('./public/contact/ContactChat.tsx') },
  { path: paths.login, lazy: () => import('./public/sign-in/Login.tsx') },
  { path: paths.register, lazy: () => import('./public/sign-in/Register.tsx') },
  { path: paths.forgotPassword, lazy: () => import('./public/sign-in/ForgotPassword.tsx') },
  { path: paths.resetPassword, lazy: () => import('./public/sign-in/ResetPassword.tsx') },
  { path: paths.restoreEmail, lazy: () => import('./public/sign-in/RestoreEmail.tsx') },
  { path: paths.confirmEmail, lazy: () => import('./public/sign-in/ConfirmEmail.tsx') },
]

const sellerRoutes: Route[] = [
  { path: paths.sellCard, lazy: () => import('./seller/sell-card/SellCard.tsx') },
  { path: paths.transactions, lazy: () => import('./seller/transactions/Transactions.tsx') },
  { path: paths.processing, lazy: () => import('./seller/processing/Processing.tsx') },
  { path: paths.profile, lazy: () => import('./seller/profile/Profile.tsx') },
]
