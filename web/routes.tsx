import type { QueryClient } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import type { RouteObject } from 'react-router'
import { Broken } from './layout/Broken.tsx'
import { Root } from './layout/Root.tsx'
import { SiteLayout } from './layout/SiteLayout.tsx'
import { paths } from './paths.ts'
import { staffRoutes } from './staff/routes.tsx'
import { Waiting } from './ui/Skeleton.tsx'

/** The table of contents. Every screen is a bundle of its own, fetched when somebody goes there. */
export function createRoutes(client: QueryClient): RouteObject[] {
  return [
    {
      element: <Root client={client} />,
      hydrateFallbackElement: <Waiting>Loading...</Waiting>,
      errorElement: <Broken />,
      children: [
        {
          element: <SiteLayout />,
          children: [
            {
              errorElement: <Broken />,
              children: [
                ...publicRoutes,
                // Shows nothing but what its address says, so that it asks nobody to sign in.
                { path: paths.confirmation, lazy: screen(() => import('./seller/Confirmation.tsx')) },
                { lazy: screen(() => import('./seller/SellerArea.tsx')), children: sellerRoutes },
                { path: '*', lazy: screen(() => import('./layout/NotFound.tsx')) },
              ],
            },
          ],
        },
        ...staffRoutes,
      ],
    },
  ]
}

const publicRoutes: RouteObject[] = [
  { path: paths.home, lazy: screen(() => import('./public/landing/Landing.tsx')) },
  { path: paths.getQuote, lazy: screen(() => import('./public/get-quote/GetQuote.tsx')) },
  { path: paths.quote, lazy: screen(() => import('./public/get-quote/GetQuote.tsx')) },
  { path: paths.login, lazy: screen(() => import('./public/sign-in/Login.tsx')) },
  { path: paths.register, lazy: screen(() => import('./public/sign-in/Register.tsx')) },
]

const sellerRoutes: RouteObject[] = [
  { path: paths.sellCard, lazy: screen(() => import('./seller/sell-card/SellCard.tsx')) },
  { path: paths.transactions, lazy: screen(() => import('./seller/transactions/Transactions.tsx')) },
  { path: paths.processing, lazy: screen(() => import('./seller/processing/Processing.tsx')) },
]

/** A screen is the default export of its file. */
function screen(load: () => Promise<{ default: ComponentType }>) {
  return async () => ({ Component: (await load()).default })
}
