import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { ORIGIN_MARK } from '#contract/screens.ts'
import { etagOf } from './etag.ts'
import { type InlineHashes, inlineHashes } from './page-policy.ts'

/** A page as it goes over the wire. */
export interface PageBody {
  readonly etag: string
  readonly plain: Buffer
  readonly br: Buffer
  readonly gzip: Buffer
  /** What the browser may run and show of it beside the files of this site. */
  readonly inline: InlineHashes
}

interface Page {
  /** In UTF-8: as a string, one "…" in it makes it twice as long. */
  readonly text: Buffer
  readonly inline: InlineHashes
}

/** The built pages: read once, finished once for the address people use, encoded once. */
export class PageFiles {
  readonly #pages: ReadonlyMap<string, Page>
  readonly #bodies = new Map<string, Promise<PageBody>>()

  private constructor(pages: ReadonlyMap<string, Page>) {
    this.#pages = pages
  }

  /**
   * Reads the pages of a folder; there are none before the web app was built.
   * @param line what stands above everything on each of them, as HTML
   */
  static async read(folder: string, line = ''): Promise<PageFiles> {
    const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.html'))
    const read = async (name: string): Promise<[string, Page]> => {
      const built = await readFile(join(folder, name), 'utf8')
      // Before anything is filled in: what was built is known, what comes later is not to run.
      const inline = inlineHashes(built)
      return [name, { text: Buffer.from(built.replace('<body>', () => `<body>${line}`)), inline }]
    }
    return new PageFiles(new Map(await Promise.all(names.map(read))))
  }

  /** @param origin what stands in the page's links to itself, like `https://unspent.example` */
  async get(name: string, origin: string): Promise<PageBody | undefined> {
    const page = this.#pages.get(name)
    if (!page) return undefined
    const { text, inline } = page
    const write = () => text.toString().replaceAll(ORIGIN_MARK, escapeHtml(origin))
    return await this.make(name, origin, write, inline)
  }

  /** A text that only the running server can write, like the list of its own addresses. */
  async make(
    name: string,
    origin: string,
    write: (origin: string) => string,
    inline = NOTHING_INLINE,
  ): Promise<PageBody> {
    const key = `${name} ${origin}`
    const body = this.#bodies.get(key) ?? encode(write(origin), inline)
    this.#bodies.set(key, body)
    return await body
  }
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}

const NOTHING_INLINE: InlineHashes = { script: [], style: [] }

const compress = { br: promisify(brotliCompress), gzip: promisify(gzip) }

async function encode(text: string, inline: InlineHashes): Promise<PageBody> {
  const plain = Buffer.from(text)
  const [br, gzipped] = await Promise.all([
    compress.br(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
    compress.gzip(plain, { level: 9 }),
  ])
  return { etag: etagOf(plain), plain, br, gzip: gzipped, inline }
}
