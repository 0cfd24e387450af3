import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { ORIGIN_MARK } from '#contract/screens.ts'

/** A page as it goes over the wire. */
export interface PageBody {
  readonly etag: string
  readonly plain: Buffer
  readonly br: Buffer
  readonly gzip: Buffer
}

/** The built pages: read once, finished once for the address people use, encoded once. */
export class PageFiles {
  readonly #texts: ReadonlyMap<string, string>
  readonly #bodies = new Map<string, Promise<PageBody>>()

  private constructor(texts: ReadonlyMap<string, string>) {
    this.#texts = texts
  }

  /**
   * Reads the pages of a folder; there are none before the web app was built.
   * @param line what stands above everything on each of them, as HTML
   */
  static async read(folder: string, line = ''): Promise<PageFiles> {
    const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.html'))
    const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
    const withLine = (text = '') => text.replace('<body>', () => `<body>${line}`)
    return new PageFiles(new Map(names.map((name, at) => [name, withLine(texts[at])])))
  }

  /** @param origin what stands in the page's links to itself, like `https://unspent.example` */
  async get(name: string, origin: string): Promise<PageBody | undefined> {
    const text = this.#texts.get(name)
    if (text === undefined) return undefined
    return await this.make(name, origin, () => text.replaceAll(ORIGIN_MARK, escapeHtml(origin)))
  }

  /** A text that only the running server can write, like the list of its own addresses. */
  async make(name: string, origin: string, write: (origin: string) => string): Promise<PageBody> {
    const key = `${name} ${origin}`
    const body = this.#bodies.get(key) ?? encode(write(origin))
    this.#bodies.set(key, body)
    return await body
  }
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}

const compress = { br: promisify(brotliCompress), gzip: promisify(gzip) }

async function encode(text: string): Promise<PageBody> {
  const plain = Buffer.from(text)
  const etag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`
  const [br, gzipped] = await Promise.all([
    compress.br(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
    compress.gzip(plain, { level: 9 }),
  ])
  return { etag, plain, br, gzip: gzipped }
}
