import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { routes } from '#contract/routes.ts'

const table = fileURLToPath(new URL('../../../contract/routes.ts', import.meta.url))

/**
 * Gives the browser only the method and path of each route. The schemas stay on the server, which checks everything
 * anyway. A form that needs one imports it from its own file of the contract.
 */
export function slimRoutes(): Plugin {
  const slim = Object.entries(routes).map(([name, { method, path }]) => [name, { method, path }])
  return {
    name: 'unspent:slim-routes',
    load: (id) =>
      id === table ? `export const routes = ${JSON.stringify(Object.fromEntries(slim))}` : undefined,
  }
}

/** The exports of zod's JSON Schema writer that its other modules import. */
const jsonSchemaExports = [
  ...['createStandardJSONSchemaMethod', 'createToJSONSchemaMethod', 'extractDefs', 'finalize'],
  ...['handleUnrepresentable', 'initializeContext', 'process', 'processSchema'],
]

/**
 * Leaves zod's JSON Schema writer out of the browser's scripts: 2 kB of each page with a form. Every schema has a method
 * that uses it, so no bundler can see that none is called.
 */
export function slimZod(): Plugin {
  return {
    name: 'unspent:slim-zod',
    load: (id) =>
      id.endsWith('/zod/v4/core/to-json-schema.js')
        ? `const leftOut = () => undefined\n${jsonSchemaExports.map((name) => `export { leftOut as ${name} }`).join('\n')}`
        : undefined,
  }
}
