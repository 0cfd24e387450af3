import { readFile } from 'node:fs/promises'
import { minify } from 'vite'

/** In index.html: what stands in the pages themselves once they are built. The development server links it instead. */
const INLINED = /^.*\sdata-inlined\b.*\n/gm

export function withoutInlined(html: string): string {
  return html.replace(INLINED, '')
}

/** A script of web/app/early/, as it stands in a page. */
export async function earlyScript(name: 'page' | 'staff'): Promise<string> {
  const file = `${name}.js`
  const { code, errors } = await minify(
    file,
    await readFile(new URL(`../early/${file}`, import.meta.url), 'utf8'),
  )
  if (errors.length > 0) throw new Error(`web/app/early/${file} can't be parsed: ${errors[0]?.message}`)
  return code
}
