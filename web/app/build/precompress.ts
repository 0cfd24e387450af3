import { readdir, readFile, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const brotli = promisify(brotliCompress)
const gzipped = promisify(gzip)
/** Leaves out HTML: the server fills in values before it sends a document. */
const COMPRESSIBLE = new Set(['.js', '.css', '.json', '.svg', '.wasm'])

/** Puts compressed versions beside each file, so that the server never compresses one. */
export function precompress(): Plugin {
  return {
    name: 'unspent:precompress',
    apply: 'build',
    enforce: 'post',
    async writeBundle({ dir = '' }) {
      const names = await readdir(dir, { recursive: true })
      await Promise.all(
        names.filter((name) => COMPRESSIBLE.has(extname(name))).map((name) => compress(join(dir, name))),
      )
    },
  }
}

async function compress(file: string): Promise<void> {
  const content = await readFile(file)
  const [br, gz] = await Promise.all([
    brotli(content, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length } }),
    gzipped(content, { level: 9 }),
  ])
  await Promise.all([writeFile(`${file}.br`, br), writeFile(`${file}.gz`, gz)])
}
