import { useEffect } from 'react'
import { useSession } from '../api/session.ts'
import { Unreachable } from '../layout/Unreachable.tsx'
import { paths } from '../paths.ts'
import { keepReturnAddress } from '../return-address.ts'
import { Outlet, useLocation, useNavigate } from '../router/index.ts'
import { Waiting } from '../ui/Skeleton.tsx'

/** Screens for signed-in sellers; everybody else signs in first and comes back. */
export default function SellerArea() {
  const session = useSession()
  if (session.status === 'loading') return <Waiting>Loading your session...</Waiting>
  if (session.status === 'unreachable') return <Unreachable />
  if (session.status === 'signed-out') return <ToLogin />
  return <Outlet />
}

function ToLogin() {
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  useEffect(() => {
    keepReturnAddress(pathname + search)
    navigate(paths.login, { replace: true })
  }, [navigate, pathname, search])
  return <Waiting>Redirecting to login...</Waiting>
}
