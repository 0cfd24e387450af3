import { readFile } from 'node:fs/promises'
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

/**
 * Removes unused parts of zod that a bundler cannot recognize, 5 kB of each page with a form: the JSON Schema writer, which
 * every schema has a method for; support for values that contain themselves, which nobody can type into a form; and the
 * English messages, because `parse` in contract/field-errors.ts gives every error a code.
 */
export function slimZod(): Plugin {
  const leftOut = /\/zod\/v4\/(core\/(to-json-schema|json-schema-processors|memoizer)|locales\/en)\.js$/
  return {
    name: 'unspent:slim-zod',
    async load(id) {
      if (!leftOut.test(id)) return undefined
      const names = (await readFile(id, 'utf8')).matchAll(
        /^export (?:const|class|function) ([$\w]+)|^export \{ \w+ as (\w+)/gm,
      )
      const nothing = [...names].map(([, name, alias]) => `export { nothing as ${name ?? alias} }`)
      return `const nothing = () => undefined\nexport default () => ({})\n${nothing.join('\n')}`
    },
  }
}
