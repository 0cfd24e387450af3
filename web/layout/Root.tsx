import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useSyncExternalStore } from 'react'
import { Outlet } from '../router/index.ts'
import { Waiting } from '../ui/Skeleton.tsx'
import { toasts } from '../ui/toast.ts'
import { Guarded } from './Broken.tsx'

/** What every screen stands in, staff's too. */
export function Root({ client }: { client: QueryClient }) {
  return (
    <QueryClientProvider client={client}>
      <Guarded>
        <Suspense fallback={<Waiting>Loading...</Waiting>}>
          <Outlet />
          <Ready />
        </Suspense>
      </Guarded>
      <Toasts />
    </QueryClientProvider>
  )
}

/** Tells static/early.js that the screen beside it answers now. */
function Ready() {
  useEffect(() => {
    dispatchEvent(new Event('unspent:ready'))
  }, [])
  return null
}

const Toaster = lazy(() => import('../ui/Toaster.tsx').then((module) => ({ default: module.Toaster })))

/** Where toasts appear, from the first one on: most visits have none, and a prerendered page never does. */
function Toasts() {
  const wanted = useSyncExternalStore(toasts.subscribe, toasts.everShown, toasts.neverShown)
  return (
    wanted && (
      <Suspense>
        <Toaster />
      </Suspense>
    )
  )
}
