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

/** Where one is. */
export interface Place {
  pathname: string
  /** With its `?`, or empty. */
  search: string
  /** With its `#`, or empty. */
  hash: string
  /** What was handed over with the step there. */
  state: unknown
  /** Of the entry in the browser's history: another visit of the same address has another one. */
  key: string
  /** How one came there: `pop` is back, forward and the first page. */
  step: 'push' | 'replace' | 'pop'
}

export interface Step {
  /** Takes the place of the current entry in the history. */
  replace?: boolean
  state?: unknown
}

/** Goes to an address of this site. Fulfilled once it is shown. */
export type GoTo = (to: string, step?: Step) => Promise<void>

/** Asks before another screen is shown, which `leave` then does. */
type LeaveGuard = (leave: () => void) => void

interface Router {
  place: Place
  goTo: GoTo
  leaveGuard: RefObject<LeaveGuard | undefined>
}

const RouterContext = createContext<Router | undefined>(undefined)

function useRouter(): Router {
  const router = use(RouterContext)
  if (!router) throw new Error('There is no router around this')
  return router
}

/** Follows the browser's address. */
export function BrowserRouter({ children }: { children: ReactNode }) {
  const [place, setPlace] = useState(() => currentPlace('pop'))
  const arrivals = useRef<(() => void)[]>([])
  const leaveGuard = useRef<LeaveGuard>(undefined)

  // A transition: what is shown stays until the next screen is there.
  const show = useCallback((next: Place) => startTransition(() => setPlace(next)), [])

  const goTo = useCallback<GoTo>(
    (to, step = {}) => {
      const guard = leaveGuard.current
      if (guard && new URL(to, location.href).pathname !== location.pathname) {
        return new Promise((resolve) =>
          guard(() => {
            leaveGuard.current = undefined
            resolve(goTo(to, step))
          }),
        )
      }
      const { replace = false, state = null } = step
      const entry = { key: newKey(), state }
      if (replace) history.replaceState(entry, '', to)
      else history.pushState(entry, '', to)
      show(currentPlace(replace ? 'replace' : 'push'))
      return new Promise((resolve) => arrivals.current.push(resolve))
    },
    [show],
  )

  const move = useEffectEvent(() => {
    const target = location.pathname + location.search + location.hash
    if (leaveGuard.current && location.pathname !== place.pathname) {
      // The browser has already left: go back to the screen that asks.
      const { pathname, search, hash, key, state } = place
      history.pushState({ key, state }, '', pathname + search + hash)
      void goTo(target)
      return
    }
    // An entry without a key is new: the browser made it for a plain link to an #anchor.
    const isNew = !hasKey(history.state)
    if (isNew) history.replaceState({ key: newKey(), state: null }, '')
    show(currentPlace(isNew ? 'push' : 'pop'))
  })
  useLayoutEffect(() => {
    if (!hasKey(history.state)) history.replaceState({ key: FIRST_KEY, state: null }, '')
    const listener = () => move()
    addEventListener('popstate', listener)
    return () => removeEventListener('popstate', listener)
  }, [])

  useLayoutEffect(() => {
    // All of them: a step that a later one overtook has nowhere else to arrive.
    for (const arrived of arrivals.current.splice(0)) arrived()
  }, [place])

  const router = useMemo(() => ({ place, goTo, leaveGuard }), [place, goTo])
  return <RouterContext value={router}>{children}</RouterContext>
}

/** Stays at one path: for rendering outside of a browser. */
export function StaticRouter({ pathname, children }: { pathname: string; children: ReactNode }) {
  const place: Place = { pathname, search: '', hash: '', state: null, key: FIRST_KEY, step: 'pop' }
  const goTo = async () => {}
  return <RouterContext value={{ place, goTo, leaveGuard: { current: undefined } }}>{children}</RouterContext>
}

/** Of the entry that the browser made by itself. */
const FIRST_KEY = 'first'

function currentPlace(step: Place['step']): Place {
  const { pathname, search, hash } = location
  const entry: unknown = history.state
  const kept = hasKey(entry) ? entry : undefined
  return {
    pathname,
    search,
    hash,
    state: kept && 'state' in kept ? kept.state : null,
    key: kept ? String(kept.key) : FIRST_KEY,
    step,
  }
}

function hasKey(entry: unknown): entry is { key: unknown } {
  return typeof entry === 'object' && entry !== null && 'key' in entry
}

function newKey(): string {
  return Math.random().toString(36).slice(2, 10)
}

export function useLocation(): Place {
  return useRouter().place
}

export function useNavigate(): GoTo {
  return useRouter().goTo
}

/** Has `ask` called before a link or the browser's Back shows another screen. */
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

type SetSearchParams = (next: URLSearchParams | Record<string, string>, step?: Step) => void

/** The query of the address, and a way to go to another one on the same screen. */
export function useSearchParams(): [URLSearchParams, SetSearchParams] {
  const { place, goTo } = useRouter()
  const { pathname, search } = place
  const params = useMemo(() => new URLSearchParams(search), [search])
  const set = useCallback<SetSearchParams>(
    (next, step) => void goTo(addressWith(pathname, new URLSearchParams(next)), step),
    [goTo, pathname],
  )
  return [params, set]
}

function addressWith(pathname: string, params: URLSearchParams): string {
  return params.size > 0 ? `${pathname}?${params}` : pathname
}
