import { createContext, use } from 'react'
import type { Administrator } from '#contract/administrators.ts'
import type { Notifications } from './notifications/use-notifications.ts'

/** What every staff screen knows. */
interface Staff {
  admin: Administrator
  /** The live channel is open. */
  live: boolean
  /** The live channel was lost and is being opened again. */
  reconnecting: boolean
  notifications: Notifications
}

export const StaffContext = createContext<Staff | null>(null)

export function useStaff(): Staff {
  const staff = use(StaffContext)
  if (!staff) throw new Error('useStaff works only inside StaffArea')
  return staff
}
