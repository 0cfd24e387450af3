import { type ComponentType, type LazyExoticComponent, lazy } from 'react'
import { isOffline, translate } from '#web/words/words.ts'
import { toast } from './toast.ts'

type LazyComponent<Props> = LazyExoticComponent<ComponentType<Props>> & {
  /** Fetches the code early. Failures are ignored. */
  prefetch: () => void
}

interface LazyOptions<Props> {
  /** No toasts: the user did not ask for this component. */
  silent?: boolean
  /** Shown if the code can't be fetched. By default a toast says so and the `Suspense` keeps its fallback. */
  substitute?: ComponentType<Props>
}

/** A component whose code is fetched when it is first shown. If that fails, the rest of the screen stays. */
export function lazyComponent<Props>(
  fetchComponent: () => Promise<ComponentType<Props>>,
  { silent = false, substitute }: LazyOptions<Props> = {},
): LazyComponent<Props> {
  async function fetchShown() {
    if (isOffline() && !silent) sayOffline()
    try {
      return { default: await whenOnline(fetchComponent) }
    } catch {
      if (substitute) return { default: substitute }
      if (!silent) sayNotLoaded()
      // Stays pending: browsers do not fetch a failed script again.
      return await new Promise<never>(() => {})
    }
  }
  return Object.assign(lazy(fetchShown), {
    prefetch: () => void (!isOffline() && fetchComponent().catch(() => undefined)),
  })
}

function sayOffline(): void {
  const t = translate()
  toast({ title: t('site.offline.toast'), description: t('site.offline.toastText') })
}

export function sayNotLoaded(): void {
  const t = translate()
  toast({
    title: t('site.notLoaded.toast'),
    description: t('site.notLoaded.toastText'),
    variant: 'destructive',
  })
}

/** Waits for a connection before fetching a script, because browsers do not fetch a failed script again until a reload. */
export async function whenOnline<T>(fetchScript: () => Promise<T>): Promise<T> {
  if (isOffline()) await new Promise((resolve) => addEventListener('online', resolve, { once: true }))
  return fetchScript()
}
