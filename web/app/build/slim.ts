import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { routes } from '#contract/routes.ts'

const table = fileURLToPath(new URL('../../../contract/routes.ts', import.meta.url))
const web = fileURLToPath(new URL('../../', import.meta.url))
const staff = `${web}staff/`
/** The same module with all routes. */
const staffTable = `${table}?staff`

/**
 * Gives the browser only the method and path of each route. The schemas stay on the server, which checks everything
 * anyway. A form that needs one imports it from its own file of the contract. Only web/staff gets the routes of staff,
 * except `adminMe`: they would be most of the table on every page.
 */
export function slimRoutes(): Plugin {
  const slim = Object.entries(routes).map(([name, { method, path }]) => [name, { method, path }] as const)
  const ofStaff = new Map(
    slim.filter(([name, { path }]) => path.startsWith('/api/admin/') && name !== 'adminMe'),
  )
  const write = (some: typeof slim) => `export const routes = ${JSON.stringify(Object.fromEntries(some))}`
  return {
    name: 'unspent:slim-routes',
    enforce: 'pre',
    resolveId: (source, importer) =>
      source === '#contract/routes.ts' && importer?.startsWith(staff) ? staffTable : undefined,
    load(id) {
      if (id === staffTable) return write(slim)
      return id === table ? write(slim.filter(([name]) => !ofStaff.has(name))) : undefined
    },
    transform(code, id) {
      if (!id.startsWith(web) || id.startsWith(staff)) return
      for (const [named, name = ''] of code.matchAll(/\broutes\.(\w+)/g)) {
        if (ofStaff.has(name)) throw new Error(`${id}: only web/staff can call ${named}`)
      }
    },
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
