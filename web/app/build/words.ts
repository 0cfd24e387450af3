import type { Plugin } from 'vite'
import { type BrandWords, fileOf, namespacesOf, readCatalog } from '../../../words/catalogs.ts'
import type { Bundle } from '../../../words/keys.ts'
import type { Locale } from '../../../words/locales.ts'

const MODULE = /^virtual:words\/(\w+)\/(\w+)$/

/** Compiles the texts of a bundle, so that the browser needs no parser. The brand's own texts replace ours. */
export function compileWords(brand: BrandWords): Plugin {
  return {
    name: 'unspent:words',
    enforce: 'pre',
    resolveId: (id) => (MODULE.test(id) ? id : undefined),
    load(id) {
      const [, locale, bundle] = (MODULE.exec(id) ?? []) as [string?, Locale?, Bundle?]
      if (!locale || !bundle) return
      const files = namespacesOf(bundle)
      for (const namespace of files) this.addWatchFile(fileOf(locale, namespace))
      const messages = files.map((namespace) => readCatalog(locale, namespace, brand))
      return `export default ${JSON.stringify(Object.assign({}, ...messages))}`
    },
  }
}
