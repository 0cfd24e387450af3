import type { ComponentType } from 'react'
import { paths } from '../paths.ts'
import type { Route } from '../router/index.ts'

/** The staff's area; everything it shows is imported lazily, so that none of it is in a customer's bundle. */
export const staffRoutes: Route[] = [
  {
    path: paths.admin,
    lazy: screen(() => import('./StaffLayout.tsx')),
    children: [
      { path: paths.adminLogin, lazy: screen(() => import('./sign-in/AdminLogin.tsx')) },
      {
        lazy: screen(() => import('./StaffArea.tsx')),
        children: [
          { index: true, lazy: screen(() => import('./dashboard/Dashboard.tsx')) },
          { path: paths.adminChat, lazy: screen(() => import('./chat/ChatManagement.tsx')) },
          { path: paths.adminBrands, lazy: screen(() => import('./brands/Brands.tsx')) },
          { path: paths.adminAudit, lazy: screen(() => import('./audit/AuditLog.tsx')) },
          { path: paths.adminSecurity, lazy: screen(() => import('./security/Security.tsx')) },
        ],
      },
      { path: '*', lazy: screen(() => import('../layout/NotFound.tsx')) },
    ],
  },
]

function screen(load: () => Promise<{ default: ComponentType }>) {
  return async () => ({ Component: (await load()).default })
}
