import { useEffect, useRef } from 'react'
import { useNavigate } from '#web/kit/router/index.ts'
import { takeReturnAddress } from '#web/wire/return-address.ts'
import { paths } from '#web/words/paths.ts'

/** Long enough to read the toast (spec section 9): to a kept address, and home. */
const TO_KEPT_ADDRESS = 1000
const TO_HOME = 500

/** Leads on after a sign-in: to where somebody wanted to go before, or home. Whoever goes elsewhere meanwhile is let go. */
export function useArrival(): () => void {
  const navigate = useNavigate()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  return () => {
    const kept = takeReturnAddress()
    timer.current = setTimeout(
      () => navigate(kept ?? paths.home, { replace: true }),
      kept ? TO_KEPT_ADDRESS : TO_HOME,
    )
  }
}
