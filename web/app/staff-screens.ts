import { withWords } from '#web/words/words.ts'

/** The files of the staff's screens. Kept off other pages, where this list would cost 1 kB. */
const files = {
  admin: () => import('#web/staff/desk/Dashboard.tsx'),
  adminLogin: () => import('#web/staff/shell/sign-in/AdminLogin.tsx'),
  adminChat: () => import('#web/staff/chat/ChatManagement.tsx'),
  adminSeller: () => import('#web/staff/sellers/SellerPage.tsx'),
  adminPayouts: () => import('#web/staff/payouts/Payouts.tsx'),
  adminInventory: () => import('#web/staff/inventory/Inventory.tsx'),
  adminHolds: () => import('#web/staff/sellers/OpenHolds.tsx'),
  adminBrands: () => import('#web/staff/settings/brands/Brands.tsx'),
  adminPolicies: () => import('#web/staff/settings/policies/Policies.tsx'),
  adminReviews: () => import('#web/staff/settings/reviews/Reviews.tsx'),
  adminReports: () => import('#web/staff/reports/Reports.tsx'),
  adminAudit: () => import('#web/staff/settings/audit/AuditLog.tsx'),
  adminStaff: () => import('#web/staff/settings/people/People.tsx'),
  adminSystem: () => import('#web/staff/settings/system/System.tsx'),
  adminTokens: () => import('#web/staff/settings/tokens/ApiTokens.tsx'),
  adminWebhooks: () => import('#web/staff/settings/webhooks/Webhooks.tsx'),
  adminSecurity: () => import('#web/staff/settings/security/Security.tsx'),
}
export type StaffScreen = keyof typeof files

export const loadScreen = (name: StaffScreen) => withWords('staff', files[name]())

/** The layouts of staff: around every screen, and around those for administrators who are signed in. And what is no screen. */
export const staffLayouts = {
  page: () => withWords('staff', import('#web/staff/shell/StaffLayout.tsx')),
  area: () => withWords('staff', import('#web/staff/shell/StaffArea.tsx')),
  notFound: () => import('#web/staff/shell/StaffNotFound.tsx'),
}
