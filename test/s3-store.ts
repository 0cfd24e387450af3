import crypto from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'

/** What stands between the server and its store: nothing, or one of these accidents. */
export type StoreMood = 'well' | 'down' | 'hanging' | 'failing' | 'lying' | 'slow'

/** An S3 store of its own behind a line that can have accidents. */
export interface TestStore {
  /** What STORAGE_URL takes. */
  readonly url: string
  mood: StoreMood
  /** How many photos it lists at once, at most: fewer than were asked for, as every store may. */
  pageSize: number
  readonly stop: () => Promise<void>
}

export const BUCKET = 'photos'

/** How long a slow store takes for each answer. */
const SLOW_MS = 100

/**
 * s3rver enciphers with DES where the next page of a list begins, and OpenSSL 3 has no DES any more: a list of more than a
 * thousand would be answered with 500. Triple DES with the same key three times is DES.
 */
function teachDes(): void {
  const { createCipheriv, createDecipheriv } = crypto
  const tripled = (key: Buffer) => Buffer.concat([key, key, key])
  Object.assign(crypto, {
    createCipheriv: (name: string, key: Buffer, ...rest: [Buffer]) =>
      name === 'des'
        ? createCipheriv('des-ede3-cbc', tripled(key), ...rest)
        : createCipheriv(name, key, ...rest),
    createDecipheriv: (name: string, key: Buffer, ...rest: [Buffer]) =>
      name === 'des'
        ? createDecipheriv('des-ede3-cbc', tripled(key), ...rest)
        : createDecipheriv(name, key, ...rest),
  })
}
teachDes()

/** Starts an empty one. */
export async function startStore(): Promise<TestStore> {
  const directory = mkdtempSync(join(tmpdir(), 'unspent-s3-'))
  const store = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: BUCKET, configs: [] }],
  })
  const { store: files } = store
  const listObjects = files.listObjects.bind(files)
  files.listObjects = (bucket, options) =>
    listObjects(bucket, { ...options, maxKeys: Math.min(options.maxKeys, test.pageSize) })
  const behind: AddressInfo = await store.run()
  const line = createServer((incoming, answer) => pass(incoming, answer, behind.port, test.mood))
  await new Promise<void>((resolve) => line.listen(0, '127.0.0.1', resolve))
  const { port } = line.address() as AddressInfo
  const test: TestStore = {
    url: `s3://S3RVER:S3RVER@${BUCKET}/sealed?endpoint=http://127.0.0.1:${port}`,
    mood: 'well',
    pageSize: 1000,
    stop: async () => {
      line.closeAllConnections()
      line.close()
      await store.close()
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
