import type { Administrator } from '#contract/accounts.ts'
import { useOutletContext } from '#web/kit/router/index.ts'
import type { Notifications } from './notifications/use-notifications.ts'

/** What every staff screen knows. */
export interface Staff {
  admin: Administrator
  /** The live channel is open. */
  live: boolean
  /** The live channel was lost and is being opened again. */
  reconnecting: boolean
  notifications: Notifications
}

export function useStaff(): Staff {
  return useOutletContext<Staff>()
}
