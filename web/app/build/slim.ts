import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import type { Route } from '#contract/route.ts'
import { routes } from '#contract/routes.ts'

const table = fileURLToPath(new URL('../../../contract/routes.ts', import.meta.url))
const web = fileURLToPath(new URL('../../', import.meta.url))
/** The folders with their own tables. */
const sides = ['staff', 'seller'] as const
/** Called on other pages too. */
const SHARED = ['me', 'logout', 'adminMe', 'changeLocale', 'confirmEmail', 'myHome']

/**
 * Gives the browser only the method and path of each route. The schemas stay on the server, which checks everything
 * anyway. A form that needs one imports it from its own file of the contract. Only web/staff gets the routes of staff, and only
 * web/seller those of sellers: they would be most of the table on every page.
 */
export function slimRoutes(): Plugin {
  const slim = Object.entries(routes).map(([name, { method, path }]) => [name, { method, path }] as const)
  const ownerOf = (name: string, { access, path }: Route) => {
    if (SHARED.includes(name)) return undefined
    // Staff who are not signed in yet call them.
    if (path.startsWith('/api/admin/')) return 'staff'
    if (access === 'anyone') return undefined
    return access === 'seller' ? 'seller' : 'staff'
  }
  const owners = new Map(Object.entries(routes).map(([name, route]) => [name, ownerOf(name, route)]))
  const write = (side?: string) => {
    const own = slim.filter(([name]) => [undefined, side].includes(owners.get(name)))
    return `export const routes = ${JSON.stringify(Object.fromEntries(own))}`
  }
  const folderOf = (file = '') => sides.find((side) => file.startsWith(`${web}${side}/`))
  return {
    name: 'unspent:slim-routes',
    enforce: 'pre',
    resolveId(source, importer) {
      const side = folderOf(importer)
      // The same module with more routes.
      return source === '#contract/routes.ts' && side ? `${table}?${side}` : undefined
    },
    load(id) {
      const [file, side] = id.split('?')
      return file === table ? write(side) : undefined
    },
    transform(code, id) {
      if (!id.startsWith(web)) return
      for (const [named, name = ''] of code.matchAll(/\broutes\.(\w+)/g)) {
        const owner = owners.get(name)
        if (owner && owner !== folderOf(id)) throw new Error(`${id}: only web/${owner} can call ${named}`)
      }
    },
  }
}
