import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Outlet, useLocation, useNavigate } from 'react-router'
import type { User } from '#contract/accounts.ts'
import type { LiveMessage } from '#contract/live.ts'
import { routes } from '#contract/routes.ts'
import { useLive } from '../api/live.ts'
import { refresh } from '../api/read.ts'
import { useSession } from '../api/session.ts'
import { paths } from '../paths.ts'
import { keepReturnAddress } from '../return-address.ts'
import { Waiting } from '../ui/Skeleton.tsx'

/** Screens for signed-in sellers; everybody else signs in first and comes back. */
export default function SellerArea() {
  const session = useSession()
  if (session.status === 'loading') return <Waiting>Loading your session...</Waiting>
  if (session.status === 'signed-out') return <ToLogin />
  return (
    <>
      <LiveUpdates user={session.user} />
      <Outlet />
    </>
  )
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

const liveRoutes = [routes.myTransactions, routes.myEarnings, routes.mySubmissions, routes.myHistory]

/** What happens to the seller's cards elsewhere shows here without a reload. */
function LiveUpdates({ user }: { user: User }) {
  const client = useQueryClient()
  const fetchAgain = () => refresh(client, ...liveRoutes)
  useLive({
    onMessage: (message) => {
      if (whose(message) === user.id) void fetchAgain()
    },
    onReconnect: fetchAgain,
  })
  return null
}

function whose(message: LiveMessage): string | undefined {
  if (message.type === 'NEW_SUBMISSION') return message.submission.userId
  if (message.type === 'STATUS_UPDATE') return message.userId
  return undefined
}
