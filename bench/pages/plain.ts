import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { builtWeb } from '#server/http/screens.ts'

/** Serves the lower limits: the landing page without scripts, and a list of plain rows. */
export async function servePlainPages(): Promise<{ url: string; close: () => void }> {
  const landing = (await readFile(join(builtWeb, 'index.html'), 'utf8'))
    .replaceAll(/<script\b[^>]*>[\s\S]*?<\/script>/g, '')
    .replaceAll(/<link rel="modulepreload"[^>]*>/g, '')
  const row = (index: number) =>
    `<li style="height:68px;border-bottom:1px solid #ccc">Row ${index}: $93.00 completed</li>`
  const rows = Array.from({ length: 300 }, (_, index) => row(index)).join('')
  const list = `<!doctype html><title>Rows</title><body style="margin:0">
    <div id="list" style="height:900px;overflow-y:auto"><ul style="margin:0">${rows}</ul></div>`
  const pages = new Map([
    ['/', brotliCompressSync(landing)],
    ['/rows', brotliCompressSync(list)],
  ])
  const server = createServer(async ({ url = '' }, response) => {
    const page = pages.get(url)
    const type = page ? 'text/html; charset=utf-8' : url.endsWith('.css') ? 'text/css' : 'image/svg+xml'
    const body = page ?? (await readFile(join(builtWeb, `${url}.br`)).catch(() => undefined))
    response.writeHead(body ? 200 : 404, { 'content-type': type, 'content-encoding': 'br' }).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, close: () => server.close().closeAllConnections() }
}
