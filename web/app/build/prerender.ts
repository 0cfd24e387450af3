import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build, type Plugin, type Rolldown, type UserConfig } from 'vite'
import { describeApi } from '#contract/openapi/document.ts'
import { API_PAGE, pageFileOf, pageFiles, screenList } from '#contract/screens.ts'
import manifest from '../../../package.json' with { type: 'json' }
import type * as Prerender from '../prerender.tsx'
import { earlyScript, withoutInlined } from './inline.ts'
import { fillTemplate, withoutScripts } from './template.ts'

const web = fileURLToPath(new URL('../..', import.meta.url))
/** Below node_modules, so that the renderer finds its packages. */
const scratch = fileURLToPath(new URL('../../../node_modules/.unspent-prerender', import.meta.url))

/**
 * Renders at build time what is the same for everybody, so that it can be read before any script has come, and
 * without one.
 * @param shared what both builds of the app have to agree on
 */
export function prerenderPages(shared: () => UserConfig): Plugin {
  return {
    name: 'unspent:prerender',
    apply: 'build',
    transformIndexHtml: { order: 'pre', handler: withoutInlined },
    async writeBundle({ dir = '' }, bundle) {
      const page = bundle['index.html']
      if (page?.type !== 'asset') throw new Error('The build has no index.html')
      const renderer = await buildRenderer(shared())
      const pages = await renderAll(renderer, { template: String(page.source), bundle })
      for (const [name, html] of pages) await writeFile(join(dir, name), html)
    },
  }
}

async function renderAll(
  { renderPage, renderLayout, renderApiDocs, filesOf, siteName, tagline, style }: typeof Prerender,
  { template, bundle }: { template: string; bundle: Rolldown.OutputBundle },
): Promise<Map<string, string>> {
  const pages = new Map<string, string>()
  const [early, earlyForStaff] = await Promise.all([earlyScript('page'), earlyScript('staff')])
  const inline = { style, early: [early] }
  const scriptsOf = (files: string[]) => files.flatMap((name) => chunksOf(bundle, join(web, name)))
  for (const { path, indexed, file } of prerenderedPages) {
    const { title, description, content, files } = await renderPage(path)
    const scripts = scriptsOf(files)
    const card = indexed && { card: { path, description, siteName, tagline } }
    pages.set(
      file,
      fillTemplate(template, { ...inline, title, content, prerendered: true, scripts, ...card }),
    )
  }
  const bare = { ...inline, title: siteName, prerendered: false, scripts: [] }
  pages.set(pageFiles.site, fillTemplate(template, { ...bare, content: await renderLayout() }))
  const staffs = { ...bare, content: '' }
  pages.set(pageFiles.staff, fillTemplate(template, staffs))
  // What a screen of staff's asks the server for first.
  const withCalls = { ...staffs, early: [early, earlyForStaff] }
  for (const path of staffPaths) {
    const scripts = scriptsOf(await filesOf(path))
    pages.set(pageFileOf(path), fillTemplate(template, { ...withCalls, scripts }))
  }
  const api = describeApi({ name: siteName, version: manifest.version, cookies: { seller: '', staff: '' } })
  const docs = { ...bare, title: api.info.title, content: await renderApiDocs(api) }
  pages.set(API_PAGE, fillTemplate(withoutScripts(template), docs))
  return pages
}

const prerenderedPages = [
  ...screenList
    .filter(({ prerendered }) => prerendered)
    .map(({ path, indexed }) => ({ path, indexed, file: pageFileOf(path) })),
  // Any address that nothing stands at.
  { path: '/404', indexed: false, file: pageFiles.notFound },
]

const staffPaths = screenList.filter(({ audience }) => audience === 'staff').map(({ path }) => path)

/** The file of a screen's bundle and of what it can't do without, so that all are fetched at once. */
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

/** Builds the app once more, to run here. */
async function buildRenderer(shared: UserConfig): Promise<typeof Prerender> {
  const result = await build({
    ...shared,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    plugins: [...(shared.plugins ?? []), nameScreens()],
    build: {
      ssr: join(web, 'app/prerender.tsx'),
      write: false,
      cssMinify: true,
      rolldownOptions: { output: { codeSplitting: false } },
    },
  })
  const output = Array.isArray(result)
    ? result.flatMap((one) => one.output)
    : 'output' in result
      ? result.output
      : []
  const code = output.find((file) => file.type === 'chunk')?.code
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

/** Notes on each screen which file it is of. */
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
