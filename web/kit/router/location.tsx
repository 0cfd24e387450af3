import {
  createContext,
  type ReactNode,
  type RefObject,
  startTransition,
  use,
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { inLocale, translate } from '#web/words/words.ts'
import { splitLocale } from '#words/locales.ts'

interface Location {
  /** The same in every language: `/help`, also at the address `/es/help`. */
  pathname: string
  /** With its `?`, or empty. */
  search: string
  /** With its `#`, or empty. */
  hash: string
  /** What the navigation passed along. */
  state: unknown
  /** Identifies the history entry: another visit to the same address has another key. */
  key: string
  /** `pop` is back, forward and the first page. */
  action: 'push' | 'replace' | 'pop'
}

export interface NavigateOptions {
  /** Replaces the current history entry. */
  replace?: boolean
  state?: unknown
}

/** Goes to an address of this site. Resolves once its screen is shown. */
type Navigate = (to: string, options?: NavigateOptions) => Promise<void>

/** Decides whether to leave the screen; `leave` does. */
type LeaveGuard = (leave: () => void) => void

interface Router {
  location: Location
  navigate: Navigate
  leaveGuard: RefObject<LeaveGuard | undefined>
}

const RouterContext = createContext<Router | undefined>(undefined)

/** Follows the browser's address. */
export function BrowserRouter({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState(() => currentLocation('pop'))
  const waiting = useRef<(() => void)[]>([])
  const leaveGuard = useRef<LeaveGuard>(undefined)

  // A transition: the old screen stays until the next one is ready.
  const show = useCallback((next: Location) => startTransition(() => setShown(next)), [])

  const navigate = useCallback<Navigate>(
    (to, options = {}) => {
      const guard = leaveGuard.current
      const address = inLocale(to)
      if (guard && new URL(address, location.href).pathname !== location.pathname) {
        return new Promise((resolve) =>
          guard(() => {
            leaveGuard.current = undefined
            resolve(navigate(to, options))
          }),
        )
      }
      const { replace = false, state = null } = options
      if (isInOtherLocale(address)) {
        if (replace) location.replace(address)
        else location.assign(address)
        return new Promise(() => {})
      }
      const entry = { key: newKey(), state }
      if (replace) history.replaceState(entry, '', address)
      else history.pushState(entry, '', address)
      show(currentLocation(replace ? 'replace' : 'push'))
      return new Promise((resolve) => waiting.current.push(resolve))
    },
    [show],
  )

  const onPopState = useEffectEvent(() => {
    const target = location.pathname + location.search + location.hash
    if (leaveGuard.current && pathOfPage() !== shown.pathname) {
      // The browser has already left: return to the screen, which asks first.
      const { pathname, search, hash, key, state } = shown
      history.pushState({ key, state }, '', inLocale(pathname) + search + hash)
      void navigate(target)
      return
    }
    const address = inLocale(target)
    if (isInOtherLocale(address)) return location.reload()
    // The browser made an entry without a key itself, for a plain link to an #anchor.
    const isNew = !hasKey(history.state)
    if (isNew) history.replaceState({ key: newKey(), state: null }, '')
    // An entry from before the language was changed.
    if (address !== target) history.replaceState(history.state, '', address)
    show(currentLocation(isNew ? 'push' : 'pop'))
  })
  useLayoutEffect(() => {
    if (!hasKey(history.state)) history.replaceState({ key: FIRST_KEY, state: null }, '')
    const listener = () => onPopState()
    addEventListener('popstate', listener)
    return () => removeEventListener('popstate', listener)
  }, [])

  useLayoutEffect(() => {
    // Also resolves navigations that this one replaced.
    for (const resolve of waiting.current.splice(0)) resolve()
  }, [shown])

  const router = useMemo(() => ({ location: shown, navigate, leaveGuard }), [shown, navigate])
  return <RouterContext value={router}>{children}</RouterContext>
}

/** Stays at one path, for rendering outside of a browser. */
export function StaticRouter({ pathname, children }: { pathname: string; children: ReactNode }) {
  const location: Location = { pathname, search: '', hash: '', state: null, key: FIRST_KEY, action: 'pop' }
  const navigate = async () => {}
  return (
    <RouterContext value={{ location, navigate, leaveGuard: { current: undefined } }}>
      {children}
    </RouterContext>
  )
}

/** The key of the first entry, which the browser made itself. */
const FIRST_KEY = 'first'

function currentLocation(action: Location['action']): Location {
  const { search, hash } = location
  const entry: unknown = history.state
  const { key = FIRST_KEY, state = null } = hasKey(entry) ? entry : {}
  return { pathname: pathOfPage(), search, hash, state, key: String(key), action }
}

/** Whether a screen has no texts in the language of the page: staff screens are in English. Its document has them. */
function isInOtherLocale(address: string): boolean {
  return splitLocale(new URL(address, location.href).pathname).locale !== translate().locale
}

/** The path without its language. */
function pathOfPage(): string {
  return splitLocale(location.pathname).path
}

function hasKey(entry: unknown): entry is { key: unknown; state?: unknown } {
  return typeof entry === 'object' && entry !== null && 'key' in entry
}

function newKey(): string {
  return Math.random().toString(36).slice(2, 10)
}

function useRouter(): Router {
  const router = use(RouterContext)
  if (!router) throw new Error('This component needs a router around it')
  return router
}

export function useLocation(): Location {
  return useRouter().location
}

export function useNavigate(): Navigate {
  return useRouter().navigate
}

/** Calls `ask` before a link or the browser's Back button leaves the screen. */
export function useLeaveGuard(ask: LeaveGuard): void {
  const { leaveGuard } = useRouter()
  const guard = useEffectEvent(ask)
  useEffect(() => {
    leaveGuard.current = (leave) => guard(leave)
    return () => {
      leaveGuard.current = undefined
    }
  }, [leaveGuard])
}

type SetSearchParams = (next: URLSearchParams | Record<string, string>, options?: NavigateOptions) => void

/** The query of the address, and a function that changes it on the same screen. */
export function useSearchParams(): [URLSearchParams, SetSearchParams] {
  const { location, navigate } = useRouter()
  const { pathname, search } = location
  const params = useMemo(() => new URLSearchParams(search), [search])
  const set = useCallback<SetSearchParams>(
    (next, options) => {
      // The user has left for a screen that is still loading, and an effect of this one must not bring them back.
      if (pathOfPage() !== pathname) return
      const query = new URLSearchParams(next)
      void navigate(query.size > 0 ? `${pathname}?${query}` : pathname, options)
    },
    [navigate, pathname],
  )
  return [params, set]
}
