import { createReadStream, createWriteStream } from 'node:fs'
import { copyFile, mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { BucketSetting, Storage } from '#server/platform/config/config-values.ts'
import { isErrno, syncFolder } from '#server/platform/durable-file.ts'

/** Where scheduled backups go: files in a folder or objects in a bucket. */
interface Files {
  readonly names: () => Promise<string[]>
  /** Keeps no part of a file whose copy fails. */
  readonly put: (name: string, file: string) => Promise<void>
  readonly get: (name: string, file: string) => Promise<void>
  readonly remove: (name: string) => Promise<void>
}

export interface StoredBackup {
  readonly name: string
  readonly madeAt: Date
}

const NAME = /^unspent-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.backup\.age$/

export function backupName(madeAt: Date): string {
  return `unspent-${madeAt.toISOString().replace(/[-:]|\.\d+/g, '')}.backup`
}

/** The backups of `BACKUP_TO`. Their names say when they were made, so nothing else records it. */
export class BackupStore {
  readonly #files: Files

  private constructor(files: Files) {
    this.#files = files
  }

  static async open(setting: Storage): Promise<BackupStore> {
    return new BackupStore(setting.kind === 's3' ? await bucket(setting) : folder(setting.folder))
  }

  /** The newest first. Other files are ignored. */
  async list(): Promise<StoredBackup[]> {
    const found = (await this.#files.names()).flatMap((name) => {
      const [, year, month, day, ...time] = NAME.exec(name) ?? []
      return year ? [{ name, madeAt: new Date(`${year}-${month}-${day}T${time.join(':')}Z`) }] : []
    })
    return found.sort((a, b) => b.madeAt.getTime() - a.madeAt.getTime())
  }

  /** @param parts paths of files by their names; the backup itself is last, so that a listed one has its keys */
  async put(parts: ReadonlyMap<string, string>): Promise<void> {
    for (const [name, file] of parts) await this.#files.put(name, file)
  }

  /** Copies a backup and the files of its keys into a folder. @returns the path of the backup */
  async get({ name }: StoredBackup, into: string): Promise<string> {
    for (const part of await this.#partsOf(name)) await this.#files.get(part, join(into, part))
    return join(into, name)
  }

  async remove({ name }: StoredBackup): Promise<void> {
    for (const part of await this.#partsOf(name)) await this.#files.remove(part)
  }

  /** The files of one backup: unspent-….backup.age, unspent-….backup.keys.age, unspent-….backup.push-key.age. */
  async #partsOf(name: string): Promise<string[]> {
    const start = name.slice(0, -'age'.length)
    return (await this.#files.names()).filter((part) => part.startsWith(start))
  }
}

function folder(path: string): Files {
  return {
    async names() {
      try {
        return await readdir(path)
      } catch (error) {
        if (isErrno(error, 'ENOENT')) return []
        throw error
      }
    },
    async put(name, file) {
      await mkdir(path, { recursive: true, mode: 0o700 })
      const unfinished = join(path, `.unfinished-${name}`)
      try {
        await copyFile(file, unfinished)
        const copy = await open(unfinished, 'r+')
        await copy.sync().finally(() => copy.close())
        await rename(unfinished, join(path, name))
        await syncFolder(path)
      } finally {
        await rm(unfinished, { force: true })
      }
    },
    get: (name, file) => copyFile(join(path, name), file),
    remove: (name) => rm(join(path, name), { force: true }),
  }
}

async function bucket({ bucket, prefix, endpoint, region, credentials }: BucketSetting): Promise<Files> {
  // Loaded on demand: the S3 client takes longer to load than the rest of the server.
  const s3 = await import('@aws-sdk/client-s3')
  const { Upload } = await import('@aws-sdk/lib-storage')
  const client = new s3.S3Client({
    region,
    ...(endpoint && { endpoint, forcePathStyle: true }),
    ...(credentials && { credentials }),
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  const at = (name: string) => ({ Bucket: bucket, Key: `${prefix}${name}` })
  return {
    async names() {
      const keys: string[] = []
      const pages = s3.paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: prefix })
      for await (const { Contents = [] } of pages) keys.push(...Contents.map(({ Key = '' }) => Key))
      return keys.map((key) => key.slice(prefix.length))
    },
    async put(name, file) {
      await new Upload({ client, params: { ...at(name), Body: createReadStream(file) } }).done()
    },
    async get(name, file) {
      const { Body } = await client.send(new s3.GetObjectCommand(at(name)))
      await pipeline(Body as Readable, createWriteStream(file, { mode: 0o600 }))
    },
    async remove(name) {
      await client.send(new s3.DeleteObjectCommand(at(name)))
    },
  }
}
