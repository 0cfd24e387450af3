import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { makeZip } from 'client-zip'

/** A file in a ZIP file. */
export interface ZipEntry {
  readonly name: string
  /** Chunks must not be empty: client-zip ends the file at an empty one. */
  readonly input: string | AsyncIterable<string | Uint8Array>
}

/** A ZIP file, without compression. The next entry is only asked for when the reader has taken the one before. */
export function zipStream(entries: AsyncIterable<ZipEntry>): Readable {
  return Readable.fromWeb(makeZip(entries) as ReadableStream<Uint8Array>)
}

/** A file with a value as JSON, for people and programs. */
export function jsonEntry(name: string, value: unknown): ZipEntry {
  return { name, input: toJson(value) }
}

/** A file with a JSON array of any length. */
export function jsonListEntry(name: string, rows: AsyncIterable<unknown>): ZipEntry {
  return { name, input: jsonList(rows) }
}

async function* jsonList(rows: AsyncIterable<unknown>): AsyncGenerator<string> {
  let before = '['
  for await (const row of rows) {
    yield `${before}\n${JSON.stringify(row, null, 2)}`
    before = ','
  }
  yield before === '[' ? '[]\n' : '\n]\n'
}

const toJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`
const CHUNK_BYTES = 128 * 1024

/** A file of bytes in chunks, because their checksum is computed on the event loop. */
export function bytesEntry(name: string, bytes: Uint8Array): ZipEntry {
  return { name, input: chunks(bytes) }
}

async function* chunks(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += CHUNK_BYTES) {
    yield bytes.subarray(start, start + CHUNK_BYTES)
  }
}
