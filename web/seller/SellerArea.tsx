import { useEffect } from 'react'
import { Outlet, useLocation, useNavigate } from '#web/kit/router/index.ts'
import { Waiting } from '#web/kit/Skeleton.tsx'
import { returnAddress } from '#web/wire/return-address.ts'
import { useSession } from '#web/wire/session.ts'
import { Unreachable } from '#web/wire/Unreachable.tsx'
import { paths } from '#web/words/paths.ts'
import { useWords } from '#web/words/words.ts'

/** Screens for signed-in sellers. Everyone else is sent to sign in and brought back. */
export default function SellerArea() {
  const t = useWords()
  const session = useSession()
  const screen = {
    loading: <Waiting>{t('seller.loadingSession')}</Waiting>,
    unreachable: <Unreachable />,
    'signed-out': <ToLogin />,
    'signed-in': <Outlet />,
  }
  // Keeps the footer below the window, so that it does not move when the screen arrives.
  return <div className="min-h-[calc(100dvh-4rem)] print:min-h-0">{screen[session.status]}</div>
}

function ToLogin() {
  const t = useWords()
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  useEffect(() => {
    returnAddress.set(pathname + search)
    navigate(paths.login, { replace: true })
  }, [navigate, pathname, search])
  return <Waiting>{t('seller.toLogin')}</Waiting>
}
