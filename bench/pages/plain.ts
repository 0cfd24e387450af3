import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { builtWeb } from '#server/http/screens.ts'

/** Serves the landing page without scripts, as the lower limit. */
export async function servePlainPages(): Promise<{ url: string; close: () => void }> {
  const landing = (await readFile(join(builtWeb, 'index.html'), 'utf8'))
    .replaceAll(/<script\b[^>]*>[\s\S]*?<\/script>/g, '')
    .replaceAll(/<link rel="modulepreload"[^>]*>/g, '')
  const page = brotliCompressSync(landing)
  const server = createServer(async ({ url = '' }, response) => {
    const isPage = url === '/'
    const type = isPage ? 'text/html; charset=utf-8' : url.endsWith('.css') ? 'text/css' : 'image/svg+xml'
    const body = isPage ? page : await readFile(join(builtWeb, `${url}.br`)).catch(() => undefined)
    response.writeHead(body ? 200 : 404, { 'content-type': type, 'content-encoding': 'br' }).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, close: () => server.close().closeAllConnections() }
}
