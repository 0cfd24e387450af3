import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import type { BucketSetting } from '#server/platform/config/config-values.ts'
import { inSpan } from '#server/platform/trace.ts'
import { PhotoStorageUnavailable } from './errors.ts'
import { PhotoStorage } from './storage.ts'

/** Limits for one attempt. */
const CONNECT_MS = 3_000
const ANSWER_MS = 8_000
const ATTEMPTS = 2

/** Photos in a bucket of an S3-compatible store, under the prefix of the setting. */
export class BucketStorage extends PhotoStorage {
  readonly #client: S3Client
  readonly #bucket: string
  readonly #prefix: string

  constructor({ bucket, prefix, endpoint, region, credentials }: BucketSetting) {
    super()
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
    await this.#reach('HeadBucket', () =>
      this.#client.send(new HeadBucketCommand({ Bucket: this.#bucket }), until(signal)),
    )
  }

  protected async read(name: string, signal?: AbortSignal): Promise<Buffer | undefined> {
    return await this.#reach('GetObject', async () => {
      try {
        const { Body } = await this.#client.send(new GetObjectCommand(this.#object(name)), until(signal))
        return Body && Buffer.from(await Body.transformToByteArray())
      } catch (error) {
        if (error instanceof NoSuchKey) return undefined
        throw error
      }
    })
  }

  protected async write(name: string, bytes: Buffer, signal?: AbortSignal): Promise<void> {
    const object = { ...this.#object(name), Body: bytes, ContentLength: bytes.length }
    await this.#reach('PutObject', () => this.#client.send(new PutObjectCommand(object), until(signal)))
  }

  protected async delete(name: string, signal?: AbortSignal): Promise<void> {
    await this.#reach('DeleteObject', () =>
      this.#client.send(new DeleteObjectCommand(this.#object(name)), until(signal)),
    )
  }

  close(): void {
    this.#client.destroy()
  }

  #object(name: string) {
    return { Bucket: this.#bucket, Key: `${this.#prefix}${name}` }
  }

  async #reach<T>(operation: string, work: () => Promise<T>): Promise<T> {
    try {
      return await inSpan({ name: `S3 ${operation}`, kind: 'client' }, work)
    } catch (error) {
      const said = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
      throw new PhotoStorageUnavailable(said, { cause: error })
    }
  }
}

function until(signal: AbortSignal | undefined): { abortSignal?: AbortSignal } {
  return signal ? { abortSignal: signal } : {}
}
