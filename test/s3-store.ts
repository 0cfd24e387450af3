import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from '@20minutes/s3rver'

/** A simulated fault. A corrupting store changes what it returns. */
export type StoreFault = 'none' | 'down' | 'hanging' | 'failing' | 'corrupting' | 'slow'

/** An S3 store behind a proxy that simulates faults. */
export interface TestStore {
  /** For STORAGE_URL. */
  readonly url: string
  fault: StoreFault
  /** The keys of all objects. */
  readonly keys: () => Promise<string[]>
  readonly stop: () => Promise<void>
}

export const BUCKET = 'photos'

/** The delay of a slow store. */
const SLOW_MS = 100

export async function startStore(): Promise<TestStore> {
  const directory = mkdtempSync(join(tmpdir(), 'unspent-s3-'))
  const store = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    // It rejects signatures of the path `/bucket/`, which the client requests.
    allowMismatchedSignatures: true,
    directory,
    configureBuckets: [{ name: BUCKET, configs: [] }],
  })
  const address: AddressInfo = await store.run()
  const proxy = createServer((incoming, answer) => forward(incoming, answer, address.port, test.fault))
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const { port } = proxy.address() as AddressInfo
  const test: TestStore = {
    url: `s3://S3RVER:S3RVER@${BUCKET}/sealed?endpoint=http://127.0.0.1:${port}`,
    fault: 'none',
    keys: async () => (await store.store.listObjects(BUCKET, {})).objects.map(({ key }) => key),
    stop: async () => {
      proxy.closeAllConnections()
      proxy.close()
      const closed = store.close()
      // The store may still wait for the rest of an aborted request.
      store.httpServer.closeAllConnections()
      await closed
      rmSync(directory, { recursive: true, force: true })
    },
  }
  return test
}

function forward(incoming: IncomingMessage, answer: ServerResponse, port: number, fault: StoreFault): void {
  if (fault === 'down') return void incoming.socket.destroy()
  if (fault === 'hanging') return void incoming.resume()
  if (fault === 'failing') return void incoming.resume().on('end', () => answer.writeHead(500).end())
  const corrupts = fault === 'corrupting' && incoming.method === 'GET'
  const { method, url: path, headers } = incoming
  if (fault === 'slow') return void setTimeout(() => forward(incoming, answer, port, 'none'), SLOW_MS)
  const forwarded = request({ host: '127.0.0.1', port, method, path, headers }, (store) => {
    answer.writeHead(store.statusCode ?? 502, store.headers)
    if (!corrupts) return void store.pipe(answer)
    store.on('data', (chunk: Buffer) =>
      answer.write(chunk.map((byte, index) => (index === 0 ? byte ^ 1 : byte))),
    )
    store.on('end', () => answer.end())
  })
  forwarded.on('error', () => answer.destroy())
  incoming.pipe(forwarded)
}
