import { paths } from '../paths.ts'
import type { Route } from '../router/index.ts'

/** The staff's area; everything it shows is imported lazily, so that none of it is in a customer's bundle. */
export const staffRoutes: Route[] = [
  {
    path: paths.admin,
    lazy: () => import('./StaffLayout.tsx'),
    children: [
      { path: paths.adminLogin, lazy: () => import('./sign-in/AdminLogin.tsx') },
      {
        lazy: () => import('./StaffArea.tsx'),
        children: [
          {
            lazy: () => import('./StaffFrame.tsx'),
            children: [
              { index: true, lazy: () => import('./dashboard/Dashboard.tsx') },
              { path: paths.adminChat, lazy: () => import('./chat/ChatManagement.tsx') },
              { path: paths.adminBrands, lazy: () => import('./brands/Brands.tsx') },
              { path: paths.adminAudit, lazy: () => import('./audit/AuditLog.tsx') },
              { path: paths.adminSecurity, lazy: () => import('./security/Security.tsx') },
            ],
          },
        ],
      },
      { path: '*', lazy: () => import('../layout/NotFound.tsx') },
    ],
  },
]
