import type { Route } from '#web/kit/router/index.ts'
import { paths } from '#web/words/paths.ts'

/** The staff's area; everything it shows is imported lazily, so that none of it is in a customer's bundle. */
export const staffRoutes: Route[] = [
  {
    path: paths.admin,
    lazy: () => import('#web/staff/StaffLayout.tsx'),
    children: [
      { path: paths.adminLogin, lazy: () => import('#web/staff/sign-in/AdminLogin.tsx') },
      {
        lazy: () => import('#web/staff/StaffArea.tsx'),
        children: [
          {
            lazy: () => import('#web/staff/StaffFrame.tsx'),
            children: [
              { index: true, lazy: () => import('#web/staff/dashboard/Dashboard.tsx') },
              { path: paths.adminChat, lazy: () => import('#web/staff/chat/ChatManagement.tsx') },
              { path: paths.adminBrands, lazy: () => import('#web/staff/brands/Brands.tsx') },
              { path: paths.adminAudit, lazy: () => import('#web/staff/audit/AuditLog.tsx') },
              { path: paths.adminSecurity, lazy: () => import('#web/staff/security/Security.tsx') },
            ],
          },
        ],
      },
      { path: '*', lazy: () => import('./layout/NotFound.tsx') },
    ],
  },
]
