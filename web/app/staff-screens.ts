import type { Bundle } from '#web/kit/router/index.ts'
import { withWords } from '#web/words/words.ts'

/** The layouts of staff: around every screen, and around those for administrators who are signed in. */
export const staffLayouts = {
  page: () => import('#web/staff/StaffLayout.tsx'),
  area: () => import('#web/staff/StaffArea.tsx'),
}

/** The screens of staff with the texts they need besides `site`. The list of their files would be 1 kB on every page. */
export const staffScreens = {
  admin: {
    load: () => import('#web/staff/dashboard/Dashboard.tsx'),
    words: ['apiFields', 'cards', 'fields', 'payments', 'reasons', 'statuses'],
  },
  adminLogin: { load: () => import('#web/staff/sign-in/AdminLogin.tsx'), words: ['apiFields', 'fields'] },
  adminChat: {
    load: () => import('#web/staff/chat/ChatManagement.tsx'),
    words: ['apiFields', 'chat', 'fields', 'statuses'],
  },
  adminSeller: {
    load: () => import('#web/staff/seller/SellerPage.tsx'),
    words: ['apiFields', 'fields', 'payments', 'statuses'],
  },
  adminPayouts: {
    load: () => import('#web/staff/payouts/Payouts.tsx'),
    words: ['apiFields', 'fields', 'payments', 'statuses'],
  },
  adminInventory: {
    load: () => import('#web/staff/inventory/Inventory.tsx'),
    words: ['apiFields', 'fields', 'statuses'],
  },
  adminBrands: { load: () => import('#web/staff/brands/Brands.tsx'), words: ['apiFields', 'fields'] },
  adminReports: { load: () => import('#web/staff/reports/Reports.tsx'), words: ['fields', 'payments'] },
  adminAudit: { load: () => import('#web/staff/audit/AuditLog.tsx'), words: ['statuses'] },
  adminStaff: { load: () => import('#web/staff/people/People.tsx'), words: ['apiFields', 'fields'] },
  adminSecurity: {
    load: () => import('#web/staff/security/Security.tsx'),
    words: ['accountSecurity', 'apiFields', 'fields', 'passkeys'],
  },
} satisfies Record<string, Bundle>
export type StaffScreen = keyof typeof staffScreens

export function loadScreen(name: StaffScreen) {
  const { load, words } = staffScreens[name]
  return withWords(words, load())
}
