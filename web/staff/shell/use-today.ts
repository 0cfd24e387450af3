import { dayIn } from '#domain/shop-time.ts'
import { serverNow } from '#web/wire/server-clock.ts'
import { useStaff } from './use-staff.ts'

/** The day in the shop's time zone, like "2026-03-05". */
export function useToday(): string {
  const { admin } = useStaff()
  return dayIn(admin.timeZone, new Date(serverNow()))
}
