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
  if (session.status === 'loading') return <Waiting>{t('seller.loadingSession')}</Waiting>
  if (session.status === 'unreachable') return <Unreachable />
  if (session.status === 'signed-out') return <ToLogin />
  return <Outlet />
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
