import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type ComponentType, Suspense, useEffect, useState } from 'react'
import { ErrorBoundary } from '#web/kit/ErrorBoundary.tsx'
import { whenOnline } from '#web/kit/lazy-component.ts'
import { Outlet } from '#web/kit/router/index.ts'
import { Waiting } from '#web/kit/Skeleton.tsx'
import { useStore } from '#web/kit/store.ts'
import { shownToast } from '#web/kit/toast.ts'
import { useWords } from '#web/words/words.ts'

/** The outermost layout of every screen. */
export function Root({ client }: { client: QueryClient }) {
  const t = useWords()
  return (
    <QueryClientProvider client={client}>
      <ErrorBoundary>
        <Suspense fallback={<Waiting>{t('site.loading')}</Waiting>}>
          <Outlet />
          <Ready />
        </Suspense>
      </ErrorBoundary>
      <Toasts />
    </QueryClientProvider>
  )
}

/** Tells early/page.js that the screen beside it now handles clicks. */
function Ready() {
  useEffect(() => {
    // After the effects, within which React does not render a press at once.
    queueMicrotask(() => dispatchEvent(new Event('unspent:ready')))
  }, [])
  return null
}

/**
 * Fetches the toaster with the first press of a button or key. If it were fetched with the first toast, it could not say
 * that the connection is gone.
 */
function Toasts() {
  const [Toaster, setToaster] = useState<ComponentType>()
  const touched = useTouched()
  // A push from the server can cause a toast before anything is pressed.
  const hasToast = useStore(shownToast) !== undefined
  const wanted = (touched || hasToast) && !Toaster
  useEffect(() => {
    if (!wanted) return
    whenOnline(() => import('#web/kit/Toaster.tsx')).then(
      (module) => setToaster(() => module.Toaster),
      () => undefined,
    )
  }, [wanted])
  return Toaster && hasToast && <Toaster />
}

function useTouched(): boolean {
  const [touched, setTouched] = useState(false)
  useEffect(() => {
    const touch = () => setTouched(true)
    const events = ['pointerdown', 'keydown'] as const
    for (const event of events) addEventListener(event, touch, { once: true, passive: true })
    return () => {
      for (const event of events) removeEventListener(event, touch)
    }
  }, [])
  return touched
}
