import { type ComponentType, type ReactNode, use } from 'react'
import { matchRoutes, type Route } from './match.ts'

/** A screen that is fetched when somebody goes there. */
interface OnDemand {
  (): ReactNode
  /** Fetches it beforehand. */
  load: () => Promise<ComponentType>
}

const TRY_AGAIN_AFTER = 1000

function onDemand(fetchScreen: () => Promise<{ default: ComponentType }>): OnDemand {
  let Loaded: ComponentType | undefined
  let loading: Promise<ComponentType> | undefined
  async function fetchOnce() {
    try {
      Loaded = (await fetchScreen()).default
      return Loaded
    } catch (error) {
      // A later visit tries again: connections come back. Not at once, or a screen that failed would ask for ever. Where
      // the browser keeps a script's failure (Chromium does), the page that says so offers to load it anew.
      setTimeout(() => {
        loading = undefined
      }, TRY_AGAIN_AFTER)
      throw error
    }
  }
  function load() {
    loading ??= fetchOnce()
    return loading
  }
  function Screen() {
    const Component = Loaded ?? use(load())
    return <Component />
  }
  return Object.assign(Screen, { load })
}

/** The table with something to render in place of each `lazy`. */
export function withScreens(routes: readonly Route[]): Route[] {
  return routes.map(({ lazy, ...route }) => ({
    ...route,
    ...(lazy && { Component: onDemand(lazy) }),
    ...(route.children && { children: withScreens(route.children) }),
  }))
}

/** Fetches what an address shows, so that its first rendering waits for nothing. */
export async function loadScreens(routes: readonly Route[], pathname: string): Promise<ComponentType[]> {
  const screens = matchRoutes(routes, pathname).map(({ Component }) => Component)
  return await Promise.all(screens.filter(isOnDemand).map((screen) => screen.load()))
}

function isOnDemand(component: unknown): component is OnDemand {
  return typeof component === 'function' && 'load' in component
}
