import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Encoded, encode } from './encoded.ts'

/** A document, ready to send. */
export interface EncodedDocument extends Encoded {
  readonly inline: InlineHashes
}

/** The texts that replace the placeholders of a document. */
export type Marks = Readonly<Record<string, string>>

/** The documents of the build. Fills in and compresses a document again only when its texts have changed. */
export class Documents {
  readonly #templates: ReadonlyMap<string, Template>
  readonly #encoded = new Map<
    string,
    { readonly with: string; readonly document: Promise<EncodedDocument> }
  >()

  private constructor(templates: ReadonlyMap<string, Template>) {
    this.#templates = templates
  }

  /**
   * Reads the HTML files of a folder. There are none before the web app is built.
   * @param more other documents by name, which may contain placeholders too
   * @param banner HTML to show above everything on every page
   */
  static async read(
    folder: string,
    { more, banner }: { more: Record<string, string>; banner: string },
  ): Promise<Documents> {
    const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.html'))
    const read = async (name: string): Promise<[string, Template]> => {
      const html = await readFile(join(folder, name), 'utf8')
      // Hashed as it was built: nothing the running server fills in may run.
      const text = html.replace('<body>', () => `<body>${banner}`)
      return [name, { text, inline: inlineHashes(html) }]
    }
    const templates = new Map(await Promise.all(names.map(read)))
    for (const [name, text] of Object.entries(more)) templates.set(name, { text, inline: inlineHashes('') })
    return new Documents(templates)
  }

  /** Whether a placeholder is in any document. */
  contain(mark: string): boolean {
    return [...this.#templates.values()].some(({ text }) => text.includes(mark))
  }

  /** @param marks the text for each placeholder, like `ORIGIN_MARK` */
  async get(name: string, marks: Marks): Promise<EncodedDocument | undefined> {
    const template = this.#templates.get(name)
    if (!template) return undefined
    const key = JSON.stringify(marks)
    const known = this.#encoded.get(name)
    if (known?.with === key) return await known.document
    const document = complete(template, marks)
    this.#encoded.set(name, { with: key, document })
    return await document
  }
}

interface Template {
  readonly text: string
  readonly inline: InlineHashes
}

async function complete({ text, inline }: Template, marks: Marks): Promise<EncodedDocument> {
  const filled = Object.entries(marks).reduce((html, [mark, value]) => {
    const escaped = value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
    return html.replaceAll(mark, () => escaped)
  }, text)
  return { ...(await encode(Buffer.from(filled))), inline }
}

/** The inline scripts and styles of a page, as a content security policy names them: `'sha256-…'`. */
interface InlineHashes {
  readonly script: readonly string[]
  readonly style: readonly string[]
}

/** @param html must be trusted, like the output of the build: everything inline in it will be allowed to run */
export function inlineHashes(html: string): InlineHashes {
  const hashesOf = (name: string) =>
    [...html.matchAll(new RegExp(`<${name}(?![^>]*\\ssrc=)[^>]*>(.*?)</${name}>`, 'gs'))].map(
      ([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
    )
  return { script: hashesOf('script'), style: hashesOf('style') }
}

/** The site's policy, which also allows these inline scripts and styles. */
export function allowInline(policy: string, { script, style }: InlineHashes): string {
  return policy
    .replace(/script-src [^;]+/, (allowed) => [allowed, ...script].join(' '))
    .replace(/style-src [^;]+/, (allowed) => [allowed, ...style].join(' '))
}
