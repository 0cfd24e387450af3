import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { routes } from '#contract/routes.ts'

const table = fileURLToPath(new URL('../../../contract/routes.ts', import.meta.url))

/**
 * Gives the browser of each route what it calls by, verb and path. The schemas stay with the server, which checks
 * everything anyway; a form that wants one imports it from its own file of the contract.
 */
export function slimRoutes(): Plugin {
  const slim = Object.entries(routes).map(([name, { method, path }]) => [name, { method, path }])
  return {
    name: 'unspent:slim-routes',
    load: (id) =>
      id === table ? `export const routes = ${JSON.stringify(Object.fromEntries(slim))}` : undefined,
  }
}
