import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { Suspense, useEffect, useState } from 'react'
import { Outlet } from 'react-router'
import { Toaster } from '../ui/Toaster.tsx'

/** What every screen stands in, staff's too. */
export function Root({ client }: { client: QueryClient }) {
  return (
    <QueryClientProvider client={client}>
      <Suspense>
        <Outlet />
      </Suspense>
      <BrowserOnlyToaster />
    </QueryClientProvider>
  )
}

// The toasts' viewport sets inline styles, which a prerendered page may not carry.
function BrowserOnlyToaster() {
  const [inBrowser, setInBrowser] = useState(false)
  useEffect(() => setInBrowser(true), [])
  return inBrowser && <Toaster />
}
