import { type ComponentType, createContext, type ReactNode, use, useState } from 'react'
import { useLocation } from './location.tsx'

export interface Route {
  /** A whole path like `/admin/login`, or one ending in `/*`: every other address below it. */
  path: string
  /** The layouts, the outermost first, and then the screen. */
  components: readonly ComponentType[]
}

/** The route of a path: its own, or else the nearest one that ends in `/*`. */
export function matchRoute(routes: readonly Route[], pathname: string): Route | undefined {
  const path = pathname.replace(/(?<=.)\/+$/, '')
  const below = ({ path: pattern }: Route) =>
    pattern.endsWith('/*') && `${path}/`.startsWith(pattern.slice(0, -1))
  return (
    routes.find((route) => route.path === path) ??
    routes.filter(below).sort((a, b) => b.path.length - a.path.length)[0]
  )
}

const OutletContent = createContext<ReactNode>(null)

/** The screen of the current address, inside its layouts. */
export function Routes({ routes }: { routes: readonly Route[] }) {
  const components = matchRoute(routes, useLocation().pathname)?.components ?? []
  return components.reduceRight<ReactNode>(
    (content, Component) => (
      <OutletContent value={content}>
        <Component />
      </OutletContent>
    ),
    null,
  )
}

/** Where a layout shows its content. */
export function Outlet(): ReactNode {
  return use(OutletContent)
}

/** A component whose code is fetched when it is first rendered. */
interface OnDemand {
  (): ReactNode
  /** Fetches it beforehand. */
  load: () => Promise<ComponentType>
}

const RETRY_MS = 1000

/** @param fetchFile imports a file whose default export is the component */
export function onDemand(fetchFile: () => Promise<{ default: ComponentType }>): OnDemand {
  let Loaded: ComponentType | undefined
  let loading: Promise<ComponentType> | undefined
  async function fetchOnce() {
    try {
      Loaded = (await fetchFile()).default
      return Loaded
    } catch (error) {
      // A later visit tries again, but not at once: a failing screen would ask forever. Chromium remembers that a
      // script failed, so the error page offers a reload.
      setTimeout(() => {
        loading = undefined
      }, RETRY_MS)
      throw error
    }
  }
  function load() {
    loading ??= fetchOnce()
    return loading
  }
  function Fetched() {
    const Component = use(load())
    return <Component />
  }
  function Screen() {
    // Kept while it is shown, so that the screen keeps its state. React warns of a component that only sometimes calls use().
    const [Ready] = useState(() => Loaded)
    return Ready ? <Ready /> : <Fetched />
  }
  return Object.assign(Screen, { load })
}

/** Fetches what an address shows, so that its first rendering does not wait. */
export async function loadScreens(routes: readonly Route[], pathname: string): Promise<ComponentType[]> {
  const parts = (matchRoute(routes, pathname)?.components ?? []).filter(isOnDemand)
  return await Promise.all(parts.map((part) => part.load()))
}

function isOnDemand(component: unknown): component is OnDemand {
  return typeof component === 'function' && 'load' in component
}
