import { type ComponentType, type LazyExoticComponent, lazy } from 'react'
import { toast } from './toast.ts'

/** A part of a screen that is fetched when it is first shown. */
export type Part<Props> = LazyExoticComponent<ComponentType<Props>> & {
  /** Fetches it, so that it is there when it is shown; that it could not be is no matter. */
  prefetch: () => void
}

interface PartOptions<Props> {
  /** Nobody has asked for it, so that nobody is told that it isn't there. */
  unasked?: boolean
  /** Shown if it can't be fetched, and says so itself. Without one a toast does, and the `Suspense` keeps its fallback. */
  substitute?: ComponentType<Props>
}

/**
 * A part of a screen that is fetched when it is first shown; what the `Suspense` around it has stands there meanwhile.
 * One that can't be fetched takes nothing else away: its place stays, and whoever asked for it is told.
 */
export function part<Props>(
  fetchPart: () => Promise<ComponentType<Props>>,
  { unasked = false, substitute }: PartOptions<Props> = {},
): Part<Props> {
  async function fetchShown() {
    if (!navigator.onLine && !unasked) toast({ title: 'You Are Offline', description: OFFLINE })
    try {
      return { default: await onceOnline(fetchPart) }
    } catch {
      if (substitute) return { default: substitute }
      if (!unasked) sayNotLoaded()
      // Nothing more comes of it: browsers don't ask twice for a script that a page could not have.
      return await new Promise<never>(() => {})
    }
  }
  return Object.assign(lazy(fetchShown), {
    prefetch: () => void (navigator.onLine && fetchPart().catch(() => undefined)),
  })
}

export function sayNotLoaded(): void {
  toast({ title: 'Not Loaded', description: MISSING, variant: 'destructive' })
}

const OFFLINE = 'What you asked for comes as soon as there is a connection again.'
const MISSING =
  'The connection may have been interrupted, or a new version was just published. Loading the page again usually helps.'

/**
 * Fetches a script of the page, but not before there is a connection: one that failed is not fetched again until the
 * page is loaded anew.
 */
export async function onceOnline<T>(fetchScript: () => Promise<T>): Promise<T> {
  if (!navigator.onLine) await new Promise((resolve) => addEventListener('online', resolve, { once: true }))
  return fetchScript()
}
