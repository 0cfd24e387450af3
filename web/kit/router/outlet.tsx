import { createContext, type ReactNode, use } from 'react'
import { matchRoutes, type Route } from './match.ts'
import { useLocation } from './place.tsx'

const Inside = createContext<ReactNode>(null)
const Handed = createContext<unknown>(undefined)

/** The screen of the address, in the layouts it stands in. */
export function Routes({ routes }: { routes: readonly Route[] }) {
  const match = matchRoutes(routes, useLocation().pathname)
  return match.reduceRight<ReactNode>(
    (inside, { Component, element }) => <Inside value={inside}>{Component ? <Component /> : element}</Inside>,
    null,
  )
}

/** Where a layout shows what is inside of it; `context` is handed to it. */
export function Outlet({ context }: { context?: unknown }) {
  const inside = use(Inside)
  return context === undefined ? inside : <Handed value={context}>{inside}</Handed>
}

/** What the nearest layout that hands something on has handed on. */
export function useOutletContext<Context>(): Context {
  return use(Handed) as Context
}
