import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { Suspense, useEffect } from 'react'
import { Guarded } from '#web/kit/ErrorBoundary.tsx'
import { Outlet } from '#web/kit/router/index.ts'
import { Waiting } from '#web/kit/Skeleton.tsx'
import { Toasts } from './Toasts.tsx'

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

/** Tells early/page.js that the screen beside it answers now. */
function Ready() {
  useEffect(() => {
    dispatchEvent(new Event('unspent:ready'))
  }, [])
  return null
}
