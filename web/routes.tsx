import type { QueryClient } from '@tanstack/react-query'
import type { ComponentType } from 'react'
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
            { path: paths.confirmation, lazy: screen(() => import('./seller/Confirmation.tsx')) },
            { lazy: screen(() => import('./seller/SellerArea.tsx')), children: sellerRoutes },
            { path: '*', lazy: screen(() => import('./layout/NotFound.tsx')) },
          ],
        },
        ...staffRoutes,
      ],
    },
  ]
}

const publicRoutes: Route[] = [
  { path: paths.home, lazy: screen(() => import('./public/landing/Landing.tsx')) },
  { path: paths.getQuote, lazy: screen(() => import('./public/get-quote/GetQuote.tsx')) },
  { path: paths.quote, lazy: screen(() => import('./public/get-quote/GetQuote.tsx')) },
  { path: paths.terms, lazy: screen(() => import('./public/pages/Terms.tsx')) },
  { path: paths.privacy, lazy: screen(() => import('./public/pages/Privacy.tsx')) },
  { path: paths.security, lazy: screen(() => import('./public/pages/Security.tsx')) },
  { path: paths.help, lazy: screen(() => import('./public/pages/Help.tsx')) },
  { path: paths.faq, lazy: screen(() => import('./public/pages/Faq.tsx')) },
  { path: paths.contact, lazy: screen(() => import('./public/contact/Contact.tsx')) },
  { path: paths.contactChat, lazy: screen(() => import('./public/contact/ContactChat.tsx')) },
  { path: paths.login, lazy: screen(() => import('./public/sign-in/Login.tsx')) },
  { path: paths.register, lazy: screen(() => import('./public/sign-in/Register.tsx')) },
  { path: paths.forgotPassword, lazy: screen(() => import('./public/sign-in/ForgotPassword.tsx')) },
  { path: paths.resetPassword, lazy: screen(() => import('./public/sign-in/ResetPassword.tsx')) },
  { path: paths.restoreEmail, lazy: screen(() => import('./public/sign-in/RestoreEmail.tsx')) },
]

const sellerRoutes: Route[] = [
  { path: paths.sellCard, lazy: screen(() => import('./seller/sell-card/SellCard.tsx')) },
  { path: paths.transactions, lazy: screen(() => import('./seller/transactions/Transactions.tsx')) },
  { path: paths.processing, lazy: screen(() => import('./seller/processing/Processing.tsx')) },
  { path: paths.profile, lazy: screen(() => import('./seller/profile/Profile.tsx')) },
]

/** A screen is the default export of its file. */
function screen(load: () => Promise<{ default: ComponentType }>) {
  return async () => ({ Component: (await load()).default })
}
