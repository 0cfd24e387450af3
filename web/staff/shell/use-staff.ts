import { createContext, use } from 'react'
import type { Administrator } from '#contract/administrators.ts'
import type { LiveStatus } from '#web/wire/live.ts'
import type { Notifications } from './notifications/use-notifications.ts'

/** What every staff screen knows. */
interface Staff {
  admin: Administrator
  status: LiveStatus
  notifications: Notifications
}

export const StaffContext = createContext<Staff | null>(null)

export function useStaff(): Staff {
  const staff = use(StaffContext)
  if (!staff) throw new Error('useStaff works only inside StaffArea')
  return staff
}
