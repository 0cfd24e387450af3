import { paths } from '../../paths.ts'
import { takeReturnAddress } from '../../return-address.ts'
import { useNavigate } from '../../router/index.ts'

/** Long enough to read the toast (spec section 9): to a kept address, and home. */
const TO_KEPT_ADDRESS = 1000
const TO_HOME = 500

/** Leads on after a sign-in: to where somebody wanted to go before, or home. */
export function useArrival(): () => void {
  const navigate = useNavigate()
  return () => {
    const kept = takeReturnAddress()
    setTimeout(() => navigate(kept ?? paths.home, { replace: true }), kept ? TO_KEPT_ADDRESS : TO_HOME)
  }
}
