import { createHash } from 'node:crypto'
import type { Plugin } from 'vite'
import { type BrandWords, namespaces, readCatalog } from '../../../words/catalogs.ts'
import type { Namespace } from '../../../words/keys.ts'
import { type Locale, locales } from '../../../words/locales.ts'

const FILE = /\/words\/(\w+)\/(\w+)\.json$/

/** Compiles the texts, so that the browser needs no parser. The brand's own texts replace ours. */
export function compileWords(brand: BrandWords): Plugin {
  const read = (locale: Locale, namespace: Namespace) => JSON.stringify(readCatalog(locale, namespace, brand))
  return {
    name: 'unspent:words',
    enforce: 'pre',
    load(id) {
      const [, locale, namespace] = FILE.exec(id) ?? []
      return locale && read(locale as Locale, namespace as Namespace)
    },
  }
}

/** Adds the compiled texts to the build as files for `web/words/words.ts`, in a folder named after their content. */
export function wordFiles(brand: BrandWords): Plugin {
  const files = locales.flatMap((locale) =>
    namespaces.map((namespace) => ({
      name: `${locale}/${namespace}.json`,
      source: JSON.stringify(readCatalog(locale, namespace, brand)),
    })),
  )
  const hash = createHash('sha256').update(JSON.stringify(files)).digest('hex').slice(0, 8)
  const folder = `assets/words-${hash}`
  return {
    name: 'unspent:word-files',
    apply: 'build',
    config: () => ({ define: { __WORDS__: JSON.stringify(`/${folder}`) } }),
    generateBundle() {
      for (const { name, source } of files)
        this.emitFile({ type: 'asset', fileName: `${folder}/${name}`, source })
    },
  }
}
