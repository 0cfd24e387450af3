import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import type { BucketSetting } from '#server/platform/config/config-values.ts'
import { PhotoStorageUnavailable } from './errors.ts'
import { isPhotoName, MARK, type PhotoStorage } from './storage.ts'

/** Limits for one attempt. */
const CONNECT_MS = 3_000
const ANSWER_MS = 8_000
const ATTEMPTS = 2

/** Photos in a bucket of an S3-compatible store, under the prefix of the setting. */
export class BucketStorage implements PhotoStorage {
  readonly #client: S3Client
  readonly #bucket: string
  readonly #prefix: string

  constructor({ bucket, prefix, endpoint, region, credentials }: BucketSetting) {
    this.#bucket = bucket
    this.#prefix = prefix
    this.#client = new S3Client({
      region,
      // Self-hosted stores rarely have a host name per bucket.
      ...(endpoint && { endpoint, forcePathStyle: true }),
      ...(credentials && { credentials }),
      maxAttempts: ATTEMPTS,
      // Otherwise bodies are sent in signed chunks, which some stores save as content.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: {
        connectionTimeout: CONNECT_MS,
        requestTimeout: ANSWER_MS,
        throwOnRequestTimeout: true,
      },
    })
  }

  /** Throws `PhotoStorageUnavailable` if the bucket does not exist or cannot be accessed. */
  async check(signal?: AbortSignal): Promise<void> {
    await this.#reach(() => this.#client.send(new HeadBucketCommand({ Bucket: this.#bucket }), until(signal)))
  }

  async put(name: string, bytes: Buffer, signal?: AbortSignal): Promise<void> {
    if (!isPhotoName(name)) throw new Error('Not the name of a photo')
    const object = { ...this.#object(name), Body: bytes, ContentLength: bytes.length }
    await this.#reach(() => this.#client.send(new PutObjectCommand(object), until(signal)))
    // Photos are the only evidence of a card, so compare instead of trusting the store.
    if ((await this.get(name, signal))?.equals(bytes)) return
    await this.remove(name, signal)
    throw new PhotoStorageUnavailable('the store returned different bytes than were sent')
  }

  async get(name: string, signal?: AbortSignal): Promise<Buffer | undefined> {
    return isPhotoName(name) ? await this.#read(name, signal) : undefined
  }

  async #read(name: string, signal: AbortSignal | undefined): Promise<Buffer | undefined> {
    return await this.#reach(async () => {
      try {
        const { Body } = await this.#client.send(new GetObjectCommand(this.#object(name)), until(signal))
        return Body && Buffer.from(await Body.transformToByteArray())
      } catch (error) {
        if (error instanceof NoSuchKey) return undefined
        throw error
      }
    })
  }

  async remove(name: string, signal?: AbortSignal): Promise<void> {
    if (!isPhotoName(name)) return
    await this.#reach(() => this.#client.send(new DeleteObjectCommand(this.#object(name)), until(signal)))
  }

  async readMark(signal?: AbortSignal): Promise<string | undefined> {
    return (await this.#read(MARK, signal))?.toString().trim()
  }

  async writeMark(id: string, signal?: AbortSignal): Promise<void> {
    const object = { ...this.#object(MARK), Body: `${id}\n` }
    await this.#reach(() => this.#client.send(new PutObjectCommand(object), until(signal)))
  }

  close(): void {
    this.#client.destroy()
  }

  #object(name: string) {
    return { Bucket: this.#bucket, Key: `${this.#prefix}${name}` }
  }

  async #reach<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      const said = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
      throw new PhotoStorageUnavailable(said, { cause: error })
    }
  }
}

function until(signal: AbortSignal | undefined): { abortSignal?: AbortSignal } {
  return signal ? { abortSignal: signal } : {}
}
