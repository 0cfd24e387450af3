import { withWords } from '#web/words/words.ts'

/** The layouts of staff: around every screen, and around those for administrators who are signed in. */
export const staffLayouts = {
  page: () => import('#web/staff/StaffLayout.tsx'),
  area: () => import('#web/staff/StaffArea.tsx'),
}

/** The screens of staff with the texts they need besides `site`. The list of their files would be 1 kB on every page. */
export const staffScreens = {
  admin: () =>
    withWords(
      ['accountFields', 'apiFields', 'cards', 'fields', 'payments', 'reasons', 'statuses'],
      import('#web/staff/dashboard/Dashboard.tsx'),
    ),
  adminLogin: () => withWords(['apiFields', 'fields'], import('#web/staff/sign-in/AdminLogin.tsx')),
  adminChat: () =>
    withWords(['apiFields', 'chat', 'fields', 'statuses'], import('#web/staff/chat/ChatManagement.tsx')),
  adminSeller: () =>
    withWords(['apiFields', 'fields', 'payments', 'statuses'], import('#web/staff/seller/SellerPage.tsx')),
  adminPayouts: () => withWords(['payments', 'statuses'], import('#web/staff/payouts/Payouts.tsx')),
  adminInventory: () =>
    withWords(['apiFields', 'fields', 'statuses'], import('#web/staff/inventory/Inventory.tsx')),
  adminBrands: () => withWords(['apiFields', 'fields'], import('#web/staff/brands/Brands.tsx')),
  adminReports: () => withWords(['payments'], import('#web/staff/reports/Reports.tsx')),
  adminAudit: () => withWords(['statuses'], import('#web/staff/audit/AuditLog.tsx')),
  adminStaff: () => withWords(['apiFields', 'fields'], import('#web/staff/people/People.tsx')),
  adminSecurity: () =>
    withWords(
      ['apiFields', 'fields', 'passkeys', 'secondFactor'],
      import('#web/staff/security/Security.tsx'),
    ),
}
export type StaffScreen = keyof typeof staffScreens
