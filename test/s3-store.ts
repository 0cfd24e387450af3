import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from '@20minutes/s3rver'

/** What stands between the server and its store: nothing, or one of these accidents. */
export type StoreMood = 'well' | 'down' | 'hanging' | 'failing' | 'lying' | 'slow'

/** An S3 store of its own behind a line that can have accidents. */
export interface TestStore {
  /** What STORAGE_URL takes. */
  readonly url: string
  mood: StoreMood
  /** The keys of all objects. */
  readonly keys: () => Promise<string[]>
  readonly stop: () => Promise<void>
}

export const BUCKET = 'photos'

/** How long a slow store takes for each answer. */
const SLOW_MS = 100

/** Starts an empty one. */
export async function startStore(): Promise<TestStore> {
  const directory = mkdtempSync(join(tmpdir(), 'unspent-s3-'))
  const store = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    // It takes no signature over the path `/bucket/`, which is how the client asks for a bucket.
    allowMismatchedSignatures: true,
    directory,
    configureBuckets: [{ name: BUCKET, configs: [] }],
  })
  const behind: AddressInfo = await store.run()
  const line = createServer((incoming, answer) => pass(incoming, answer, behind.port, test.mood))
  await new Promise<void>((resolve) => line.listen(0, '127.0.0.1', resolve))
  const { port } = line.address() as AddressInfo
  const test: TestStore = {
    url: `s3://S3RVER:S3RVER@${BUCKET}/sealed?endpoint=http://127.0.0.1:${port}`,
    mood: 'well',
    keys: async () => (await store.store.listObjects(BUCKET, {})).objects.map(({ key }) => key),
    stop: async () => {
      line.closeAllConnections()
      line.close()
      const closed = store.close()
      // A client that gave up half-way has left the store waiting for the rest.
      store.httpServer.closeAllConnections()
      await closed
      rmSync(directory, { recursive: true, force: true })
    },
  }
  return test
}

function pass(incoming: IncomingMessage, answer: ServerResponse, port: number, mood: StoreMood): void {
  if (mood === 'down') return void incoming.socket.destroy()
  if (mood === 'hanging') return void incoming.resume()
  if (mood === 'failing') return void incoming.resume().on('end', () => answer.writeHead(500).end())
  const lies = mood === 'lying' && incoming.method === 'GET'
  const { method, url: path, headers } = incoming
  if (mood === 'slow') return void setTimeout(() => pass(incoming, answer, port, 'well'), SLOW_MS)
  const onward = request({ host: '127.0.0.1', port, method, path, headers }, (store) => {
    answer.writeHead(store.statusCode ?? 502, store.headers)
    if (!lies) return void store.pipe(answer)
    store.on('data', (chunk: Buffer) => answer.write(chunk.map((byte, at) => (at === 0 ? byte ^ 1 : byte))))
    store.on('end', () => answer.end())
  })
  onward.on('error', () => answer.destroy())
  incoming.pipe(onward)
}
