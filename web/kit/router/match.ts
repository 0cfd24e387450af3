import type { ComponentType, ReactNode } from 'react'

/** An entry of the table of contents. What has children is a layout around them. */
export interface Route {
  /** A whole path like `/admin/login`, or `*` for everything below the enclosing path that has no entry. */
  path?: string
  /** Stands at the enclosing path itself. */
  index?: true
  element?: ReactNode
  Component?: ComponentType
  /** Fetches the component, which is the default export of its file, when somebody goes there. */
  lazy?: () => Promise<{ default: ComponentType }>
  children?: Route[]
}

/** From the outermost layout to the screen. */
export type Match = readonly Route[]

/** The routes to render for a path; empty when there is none. */
export function matchRoutes(routes: readonly Route[], pathname: string): Match {
  const path = pathname.length > 1 ? pathname.replace(/\/+$/, '') || '/' : pathname
  const leaves = leavesOf(routes, { at: '/', above: [] })
  const exact = leaves.find((leaf) => !leaf.rest && leaf.at === path)
  return (exact ?? nearestRest(leaves, path))?.match ?? []
}

interface Leaf {
  at: string
  /** Stands for everything below `at`. */
  rest: boolean
  match: Match
}

function leavesOf(routes: readonly Route[], { at, above }: { at: string; above: Match }): Leaf[] {
  return routes.flatMap((route) => {
    const match = [...above, route]
    const rest = route.path === '*'
    const place = rest ? at : (route.path ?? at)
    return route.children
      ? leavesOf(route.children, { at: place, above: match })
      : [{ at: place, rest, match }]
  })
}

function nearestRest(leaves: readonly Leaf[], path: string): Leaf | undefined {
  return leaves
    .filter(({ at, rest }) => rest && (at === '/' || path === at || path.startsWith(`${at}/`)))
    .sort((a, b) => b.at.length - a.at.length)[0]
}
