import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build, minify, type Plugin, type Rolldown, type UserConfig } from 'vite'
import type { Brand } from '#brand/brand.ts'
import { type IndexedScreen, pageFileOf, pageFiles, screenList } from '#contract/screens.ts'
import { type BrandWords, readWords } from '#words/catalogs.ts'
import { bundlesOf, type Part } from '#words/keys.ts'
import type { Locale } from '#words/locales.ts'
import type { Translate } from '#words/translate.ts'
import type * as Prerender from '../prerender.tsx'
import { fillTemplate } from './template.ts'

const web = fileURLToPath(new URL('../..', import.meta.url))
/** Below node_modules, so that the renderer finds its packages. */
const scratch = fileURLToPath(new URL('../../../node_modules/.unspent-prerender', import.meta.url))
/** Lines of index.html that only the development server needs: the build inlines what they link to. */
const INLINED = /^.*\sdata-inlined\b.*\n/gm

/**
 * Renders screens that are the same for everyone at build time, so they can be read before any script arrives.
 * @param shared the settings both builds of the app must agree on
 */
export function prerenderPages(shared: () => UserConfig, brand: Brand, brandWords: BrandWords): Plugin {
  return {
    name: 'unspent:prerender',
    apply: 'build',
    transformIndexHtml: { order: 'pre', handler: (html) => html.replace(INLINED, '') },
    async writeBundle({ dir = '' }, bundle) {
      const page = bundle['index.html']
      if (page?.type !== 'asset') throw new Error('The build has no index.html')
      const renderer = await buildRenderer(shared())
      const documents = await renderAll(renderer, String(page.source), {
        bundle,
        brand,
        words: readWords(brandWords),
      })
      for (const [name, html] of documents) await writeFile(join(dir, name), html)
    },
  }
}

/** @returns the documents by file name */
async function renderAll(
  renderer: typeof Prerender,
  template: string,
  {
    bundle,
    brand,
    words,
  }: { bundle: Rolldown.OutputBundle; brand: Brand; words: Readonly<Record<Locale, Translate>> },
): Promise<Map<string, string>> {
  const { style } = renderer
  const { name: siteName } = brand
  const hasPicture = brand.sharePicture !== undefined
  const scriptsOf = (t: Translate, part: Part, files: readonly string[] = []) => [
    ...bundlesOf[part].flatMap((name) => chunksOf(bundle, `virtual:words/${t.locale}/${name}`)),
    ...files.flatMap((name) => chunksOf(bundle, join(web, name))),
  ]
  const hasFigures = brand.claims.some(({ figure }) => typeof figure !== 'string')
  const inline = { style, hasFigures, early: [await earlyScript('page')] }
  const earlyOfSellers = [...inline.early, await earlyScript('seller')]
  const documents = new Map<string, string>()

  for (const t of Object.values(words)) {
    const { locale } = t
    await renderer.renderIn(locale)
    const page = { ...inline, locale, noScript: t('documents.noScript'), prerendered: true }
    for (const screen of screenList.filter(({ prerendered }) => prerendered)) {
      const { path, canonical = path } = screen
      const { files, ...rendered } = await renderer.renderScreen(path)
      const listed = screenList.find((other) => other.indexed && other.path === canonical)
      const card = listed && {
        card: {
          path: canonical,
          // About 155 characters are shown.
          description: t(`documents.${listed.name as IndexedScreen}`),
          siteName,
          tagline: t('documents.tagline'),
          hasPicture,
        },
      }
      const isLong = files.some((file) => file.startsWith('visitor/pages/'))
      const scripts = scriptsOf(t, isLong ? 'pages' : 'visitor', files)
      documents.set(
        pageFileOf(screen, locale),
        fillTemplate(template, { ...page, ...rendered, scripts, ...card }),
      )
    }
    const { files, ...lost } = await renderer.renderScreen('/404')
    const scripts = scriptsOf(t, 'visitor', files)
    documents.set(pageFiles.notFound(locale), fillTemplate(template, { ...page, ...lost, scripts }))
    const layout = {
      ...page,
      content: await renderer.renderLayout(),
      prerendered: false,
      title: siteName,
      scripts: scriptsOf(t, 'visitor'),
    }
    documents.set(pageFiles.site(locale), fillTemplate(template, layout))
    for (const screen of screenList.filter(({ audience }) => audience === 'seller')) {
      const files = ['app/seller-screens.ts', ...(await renderer.filesOf(screen.path))]
      const scripts = scriptsOf(t, 'seller', files)
      documents.set(
        pageFileOf(screen, locale),
        fillTemplate(template, { ...layout, early: earlyOfSellers, scripts }),
      )
    }
  }

  const bare = {
    ...inline,
    noScript: words.en('documents.noScript'),
    locale: 'en',
    title: siteName,
    content: '',
    prerendered: false,
  } as const
  documents.set(pageFiles.staff, fillTemplate(template, { ...bare, scripts: scriptsOf(words.en, 'staff') }))
  for (const screen of screenList.filter(({ audience }) => audience === 'staff')) {
    const files = ['app/staff-screens.ts', ...(await renderer.filesOf(screen.path))]
    const scripts = scriptsOf(words.en, 'staff', files)
    const styles = stylesOf(bundle, scripts)
    documents.set(pageFileOf(screen, 'en'), fillTemplate(template, { ...bare, scripts, styles }))
  }
  return documents
}

/** A script of web/app/early/, minified to be inlined. */
async function earlyScript(name: 'page' | 'seller'): Promise<string> {
  const source = await readFile(join(web, `app/early/${name}.js`), 'utf8')
  const { code, errors } = await minify(`${name}.js`, source)
  if (errors.length > 0) throw new Error(`web/app/early/${name}.js is not valid: ${errors[0]?.message}`)
  return code
}

/** The chunk of a module and every chunk it imports, so that they can be fetched at once. */
function chunksOf(bundle: Rolldown.OutputBundle, module: string): string[] {
  const found = new Set<string>()
  const add = (chunk: Rolldown.OutputChunk) => {
    if (chunk.isEntry || found.has(chunk.fileName)) return
    found.add(chunk.fileName)
    for (const name of chunk.imports) {
      const imported = bundle[name]
      if (imported?.type === 'chunk') add(imported)
    }
  }
  for (const chunk of Object.values(bundle)) {
    if (chunk.type === 'chunk' && chunk.facadeModuleId === module) add(chunk)
  }
  return [...found]
}

/** The style sheets that chunks import, so that they are fetched with them. */
function stylesOf(bundle: Rolldown.OutputBundle, chunks: readonly string[]): string[] {
  const styles = chunks.flatMap((name) => {
    const chunk = bundle[name]
    return chunk?.type === 'chunk' ? [...(chunk.viteMetadata?.importedCss ?? [])] : []
  })
  return [...new Set(styles)]
}

/** Builds the app a second time, to run in this process. */
async function buildRenderer(shared: UserConfig): Promise<typeof Prerender> {
  const result = await build({
    ...shared,
    configFile: false,
    logLevel: 'warn',
    plugins: [...(shared.plugins ?? []), nameScreens()],
    build: {
      ssr: join(web, 'app/prerender.tsx'),
      write: false,
      cssMinify: true,
      rolldownOptions: { output: { codeSplitting: false } },
    },
  })
  const outputs = [result].flat().flatMap((one) => ('output' in one ? one.output : []))
  const code = outputs.find((file) => file.type === 'chunk')?.code
  if (!code) throw new Error('The renderer was not built')
  const file = join(scratch, `${process.pid}-${Date.now()}.mjs`)
  await mkdir(scratch, { recursive: true })
  await writeFile(file, code)
  try {
    return await import(pathToFileURL(file).href)
  } finally {
    await rm(file)
  }
}

/** Adds its file name to each screen, which `chunksOf` looks up. */
function nameScreens(): Plugin {
  return {
    name: 'unspent:name-screens',
    enforce: 'pre',
    transform(code, id) {
      const name = id.startsWith(web) && /^export default function (\w+)/m.exec(code)?.[1]
      return name ? `${code}\n${name}.file = ${JSON.stringify(relative(web, id))}\n` : undefined
    },
  }
}
