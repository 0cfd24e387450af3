import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readdir, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '#server/platform/config/config.ts'
import { beginRestore } from '#server/platform/database/unfinished-restore.ts'
import { ADMIN_PASSWORD, SELLER_PASSWORD } from '#test/people.ts'
import { Person } from '#test/person.ts'
import { remote } from '#test/remote.ts'
import { COMPILE_CACHE, newDataDir, ServerProcess } from '#test/server-process.ts'
import { submitted } from '#test/submissions.ts'
import { importFlags } from '../../../scripts/become.mjs'
import { restore } from './restore.ts'

const PROGRAM = join(import.meta.dirname, '../main.ts')
const settings = { ADMIN_PASSWORD, RATE_LIMITS: 'off' }

async function admin(dataDir: string, ...args: string[]): Promise<string> {
  return adminWith({}, dataDir, ...args)
}

async function adminWith(more: Record<string, string>, dataDir: string, ...args: string[]): Promise<string> {
  const { PATH, TMPDIR } = process.env
  const env = { PATH, TMPDIR, ...COMPILE_CACHE, DATA_DIR: dataDir, ...more }
  return (await promisify(execFile)(process.execPath, [...importFlags, PROGRAM, ...args], { env })).stdout
}

const refusal = async (...args: Parameters<typeof admin>): Promise<string> =>
  admin(...args).then(
    (output) => `It succeeded: ${output}`,
    (error) => error.stderr,
  )

const restored = (dataDir: string, file: string, secretKeys?: string): Promise<void> =>
  restore({
    file,
    dataDir,
    storage: readConfig({ DATA_DIR: dataDir }).storage,
    secretKeys,
    say: () => {},
  })

const madeFiles = ['unspent.backup', 'unspent.backup.keys', 'unspent.backup.push-key']

async function signedIn(url: string): Promise<{ seller: Person; staff: Person }> {
  const [seller, staff] = [new Person(remote(url)), new Person(remote(url))]
  await seller.post('/api/auth/login', { email: 'sally@example.com', password: SELLER_PASSWORD })
  await staff.post('/api/admin/login', { username: 'admin', password: ADMIN_PASSWORD })
  return { seller, staff }
}

async function withServer<T>(dataDir: string, work: (url: string) => Promise<T>): Promise<T> {
  const server = ServerProcess.start({ DATA_DIR: dataDir, ...settings })
  try {
    return await work(await server.ready())
  } finally {
    server.kill('SIGTERM')
    await server.ended()
  }
}

/** Everything that staff and a seller see, including the bytes of photos. */
async function everythingSeen(url: string) {
  const { seller, staff } = await signedIn(url)
  const submissions = (await staff.get('/api/admin/submissions')).json
  const photos: string[] = submissions.flatMap(({ imageUrl }: { imageUrl: string[] }) => imageUrl)
  const [first] = submissions
  return {
    submissions,
    transactions: (await staff.get('/api/admin/transactions')).json,
    users: (await staff.get('/api/admin/users')).json.map(({ id, email }: Record<string, string>) => ({
      id,
      email,
    })),
    brands: (await staff.get('/api/brands')).json,
    threads: (await staff.get('/api/admin/chat/threads')).json,
    revealed: (await staff.post(`/api/admin/submissions/${first.id}/reveal`)).json,
    own: (await seller.get('/api/user/gift-cards')).json,
    messages: (await seller.get('/api/chat/messages')).json,
    photos: await Promise.all(
      photos.map(async (path) => (await staff.get(path.replace('/uploads/', '/api/admin/view/'))).bytes),
    ),
  }
}

describe('a backup', () => {
  let dataDir: string
  let file: string
  let before: Awaited<ReturnType<typeof everythingSeen>>
  beforeAll(async () => {
    dataDir = await newDataDir()
    file = join(await newDataDir(), 'unspent.backup')
    await withServer(dataDir, async (url) => {
      const seller = new Person(remote(url))
      const account = { username: 'sally', email: 'sally@example.com', password: SELLER_PASSWORD }
      await seller.post('/api/auth/register', { ...account, firstName: 'Sally', lastName: 'Ünal \\N' })
      const [paid] = [
        await submitted(seller),
        await submitted(seller, { submissionNotes: '\\. \\N \t "…" 🎁' }),
      ]
      await seller.post('/api/chat/messages', { message: 'Is it safe?' })
      const { staff } = await signedIn(url)
      await staff.patch(`/api/admin/submissions/${paid}/status`, { status: 'completed' })
      before = await everythingSeen(url)
      // While the server runs.
      expect(await admin(dataDir, 'backup', file)).toMatch(
        /rows of \d+ tables, 4 photo files\.\n.*\.keys: the keys/,
      )
      await submitted(seller)
    })
  })
  afterAll(() => rm(dataDir, { recursive: true, force: true }))

  it('restores everything into an empty folder, and the server continues from there', async () => {
    const fresh = await newDataDir()
    const said = await admin(fresh, 'restore', file)
    expect(said).toContain('start the server')
    expect(said).toMatch(
      /^Payouts are stopped: what was sent since \S+ may be due again\. .+ payouts resume$/m,
    )
    expect(await readFile(join(fresh, 'push-key'))).toEqual(await readFile(join(dataDir, 'push-key')))
    await withServer(fresh, async (url) => {
      const after = await everythingSeen(url)
      expect(after).toEqual(before)
      expect(after.photos).toHaveLength(2)
      const { seller, staff } = await signedIn(url)
      const id = await submitted(seller)
      expect(
        (await staff.patch(`/api/admin/submissions/${id}/status`, { status: 'processing' })).status,
      ).toBe(200)
      expect((await seller.post('/api/chat/messages', { message: 'Hello again' })).status).toBe(201)
      const [payout] = (await staff.get(`/api/admin/payouts?q=${id}`)).json
      expect(payout.number).toBeGreaterThan(1_000_000)
      const batch = { paymentType: payout.paymentType, payoutIds: [payout.id] }
      expect((await staff.post('/api/admin/payout-batches', batch)).json.code).toBe('payouts_stopped')
      const stop = (await staff.get('/api/admin/payouts/stop')).json
      expect(said).toContain(stop.backupMadeAt)
      await admin(fresh, 'payouts', 'resume')
      expect((await staff.post('/api/admin/payout-batches', batch)).json.code).not.toBe('payouts_stopped')
    })
    expect(await admin(fresh, 'audit', 'verify')).toContain('intact')
    await rm(fresh, { recursive: true, force: true })
  })

  it('is readable only by its owner, contains no key and replaces nothing', async () => {
    for (const path of [file, `${file}.keys`, `${file}.push-key`])
      expect((await stat(path)).mode & 0o777).toBe(0o600)
    const keys = (await readFile(`${file}.keys`, 'utf8')).match(/:(\S{43,44})$/gm) ?? []
    expect(keys).toHaveLength(2)
    const bytes = await readFile(file)
    for (const key of keys) expect(bytes.includes(Buffer.from(key.slice(1), 'base64'))).toBe(false)
    expect(bytes.includes('6006493012345678')).toBe(false)
    expect(bytes.includes((await readFile(`${file}.push-key`, 'utf8')).trim())).toBe(false)
    expect(await refusal(dataDir, 'backup', file)).toMatch(/already exists/)
    const aside = join(file, '..', 'aside')
    await rename(file, aside)
    expect(await refusal(dataDir, 'backup', file)).toMatch(/^\S+\.keys already exists/)
    await rename(aside, file)
    expect((await readdir(join(file, '..'))).sort()).toEqual(madeFiles)
  })

  it('is made once if two commands write to the same name', async () => {
    const folder = await newDataDir()
    const wanted = join(folder, 'unspent.backup')
    const [one, other] = await withServer(dataDir, () =>
      Promise.allSettled([admin(dataDir, 'backup', wanted), admin(dataDir, 'backup', wanted)]),
    )
    const [made, refused] = one?.status === 'fulfilled' ? [one, other] : [other, one]
    expect(made).toMatchObject({ value: expect.stringMatching(/rows of \d+ tables, 6 photo files/) })
    expect(refused).toMatchObject({ reason: { stderr: expect.stringContaining('already exists') } })
    expect((await readdir(folder)).sort()).toEqual(madeFiles)
    const fresh = await newDataDir()
    expect(await admin(fresh, 'restore', wanted)).toContain('start the server')
    for (const done of [folder, fresh]) await rm(done, { recursive: true, force: true })
  })

  it('does not copy keys from SECRET_KEYS, and refuses keys that differ from those of the database', async () => {
    const folder = await newDataDir()
    const [elsewhere, keyFile] = [join(folder, 'unspent.backup'), join(dataDir, 'keys')]
    const entries = (await readFile(keyFile, 'utf8')).split('\n').filter((line) => /^\w+:/.test(line))
    const foreign = ['k1', 'index'].map((id) => `${id}:${randomBytes(32).toString('base64')}`)
    const backUpWith = (keys: string[]) =>
      adminWith({ SECRET_KEYS: keys.join(',') }, dataDir, 'backup', elsewhere)
    await expect(backUpWith(foreign)).rejects.toMatchObject({
      stderr: expect.stringContaining('lacks the key'),
    })
    await rename(keyFile, `${keyFile}-away`)
    expect(await refusal(dataDir, 'backup', elsewhere)).toMatch(
      /^There are no keys in \S+keys, and SECRET_KEYS/,
    )
    expect(await refusal(dataDir, 'keys', 'list')).toMatch(/^There are no keys/)
    const server = ServerProcess.start({ DATA_DIR: dataDir, ...settings })
    expect([await server.ended(), server.output]).toEqual([1, expect.stringMatching(/^There are no keys/)])
    expect(await readdir(dataDir)).not.toContain('keys')
    expect(await readdir(folder)).toEqual([])
    expect(await backUpWith(entries)).toContain('The keys are in SECRET_KEYS and not in the backup')
    await rename(`${keyFile}-away`, keyFile)
    expect((await readdir(folder)).sort()).toEqual(['unspent.backup', 'unspent.backup.push-key'])
    const keyless = join(folder, 'keyless')
    expect(await admin(dataDir, 'backup', keyless, '--without-keys')).toContain(
      'The keys are not in the backup.',
    )
    expect((await readdir(folder)).filter((name) => name.startsWith('keyless'))).toEqual(['keyless'])
  }, 180_000)

  it('refuses a STORAGE_URL or DATA_DIR that is not that of the server', async () => {
    const [folder, other] = [await newDataDir(), await newDataDir()]
    const env = { STORAGE_URL: `file:${other}` }
    await expect(adminWith(env, dataDir, 'backup', join(folder, 'a.backup'))).rejects.toMatchObject({
      stderr: `STORAGE_URL: ${other} is not the photo store of the server, which last used ${dataDir}/uploads. Run this command with the server's settings.\n`,
    })
    expect([await readdir(folder), await readdir(other)]).toEqual([[], []])
    expect(await refusal(other, 'backup', join(folder, 'a.backup'))).toMatch(
      /^There is no database in DATA_DIR/,
    )
    expect(await readdir(other)).toEqual([])
  }, 180_000)

  it('fails with the names and count of lost photos, unless asked to leave them out', async () => {
    const folder = await newDataDir()
    const wanted = join(folder, 'unspent.backup')
    const stored = (await readdir(join(dataDir, 'uploads'), { recursive: true })).filter(
      (path) => path.length > 24,
    )
    const [lost = ''] = stored
    await rename(join(dataDir, 'uploads', lost), join(folder, 'lost'))
    expect(await refusal(dataDir, 'backup', wanted)).toBe(
      `No backup was made: 1 photo file is not in the photo store (${basename(lost)}). If they are lost for good, add --without-lost-photos\n`,
    )
    expect(await readdir(folder)).toEqual(['lost'])
    const made = await admin(dataDir, 'backup', wanted, '--without-lost-photos')
    expect(made).toContain(`${stored.length - 1} photo files`)
    const fresh = await newDataDir()
    expect(await admin(fresh, 'restore', wanted)).toContain('start the server')
    await rename(join(folder, 'lost'), join(dataDir, 'uploads', lost))
    // The restored submission shows no photo that cannot be opened.
    await withServer(fresh, async (url) => {
      const { staff } = await signedIn(url)
      const submissions = (await staff.get('/api/admin/submissions')).json
      const paths: string[] = submissions.flatMap(({ images }: { images: string[] }) => images)
      expect(paths).toHaveLength(stored.length / 2 - 1)
      for (const path of paths)
        expect((await staff.get(path.replace('/uploads/', '/api/admin/view/'))).status).toBe(200)
    })
  }, 180_000)

  it('is restored without touching a live store, unless told to take it over', async () => {
    const [fresh, uploads] = [await newDataDir(), join(dataDir, 'uploads')]
    const live = { STORAGE_URL: `file:${uploads}` }
    const before = (await readdir(uploads, { recursive: true })).sort()
    const mark = await readFile(join(uploads, 'installation'), 'utf8')
    await expect(adminWith(live, fresh, 'restore', file)).rejects.toMatchObject({
      stderr: expect.stringMatching(
        /^STORAGE_URL: the photo store \S+ belongs to another installation[^\n]+--take-over-store\n$/,
      ),
    })
    expect(await readdir(fresh)).toEqual([])
    // Restore elsewhere first, then point the server at the live store.
    await admin(fresh, 'restore', file)
    const practice = ServerProcess.start({ DATA_DIR: fresh, ...settings, ...live })
    expect([await practice.ended(), practice.output]).toEqual([
      1,
      expect.stringContaining('belongs to another installation'),
    ])
    expect((await readdir(uploads, { recursive: true })).sort()).toEqual(before)
    expect(await readFile(join(uploads, 'installation'), 'utf8')).toBe(mark)

    const successor = await newDataDir()
    await adminWith(live, successor, 'restore', file, '--take-over-store')
    const taken = await readFile(join(uploads, 'installation'), 'utf8')
    expect(taken).not.toBe(mark)
    const server = ServerProcess.start({ DATA_DIR: dataDir, ...settings })
    expect(await server.ended()).toBe(1)
    expect(await admin(dataDir, 'take-over-store')).toContain('belongs to this installation now')
    expect(await readFile(join(uploads, 'installation'), 'utf8')).toBe(mark)
  }, 180_000)

  it('whose restore was interrupted leaves a folder that no server starts on', async () => {
    const fresh = await newDataDir()
    await beginRestore(fresh)
    const server = ServerProcess.start({ DATA_DIR: fresh, ...settings })
    expect(await server.ended()).toBe(1)
    expect(server.output).toMatch(/^a restore into DATA_DIR \S+ was interrupted[^\n]*\n$/)
    await rm(fresh, { recursive: true, force: true })
  })

  it('is not restored into a used folder', async () => {
    await expect(restored(dataDir, file)).rejects.toThrow(/^DATA_DIR \S+ is not empty/)
  })

  it.each([
    ['truncated', async (path: string) => truncate(path, (await stat(path)).size / 2)],
    ['of zeros', async (path: string) => writeFile(path, Buffer.alloc(10_240))],
    ['of noise', async (path: string) => writeFile(path, randomBytes(10_000))],
    [
      'changed by one bit',
      async (path: string) => {
        const bytes = await readFile(path)
        const at = bytes.indexOf('photos/') + 2_000
        bytes[at] = (bytes[at] ?? 0) ^ 1
        await writeFile(path, bytes)
      },
    ],
  ])('that is %s is refused before anything is written', async (_, spoil) => {
    const fresh = await newDataDir()
    const copy = join(await newDataDir(), 'copy')
    await writeFile(copy, await readFile(file))
    await spoil(copy)
    await expect(restored(fresh, copy)).rejects.toThrow(
      /^\S+copy (cannot be read|is not a backup|was changed)[^\n]*$/,
    )
    expect(await readdir(fresh)).toEqual([])
  })

  it('is not restored with missing or wrong keys, and nothing is written', async () => {
    const [fresh, aside] = [await newDataDir(), `${file}.elsewhere`]
    await rename(`${file}.keys`, aside)
    await expect(restored(fresh, file)).rejects.toThrow('there are no keys')
    expect(await readdir(fresh)).toEqual([])
    const key = () => randomBytes(32).toString('base64')
    await writeFile(`${file}.keys`, `k1:${key()}\nindex:${key()}\n`)
    expect(await refusal(fresh, 'restore', file)).toContain('was sealed with')
    await rename(aside, `${file}.keys`)
    expect(await readdir(fresh)).toEqual([])
    await expect(restored(fresh, file, `k1:${key()},index:${key()}`)).rejects.toThrow('was sealed with')
    expect(await readdir(fresh)).toEqual([])
    // Keys in the folder come before those beside the backup.
    await writeFile(join(fresh, 'keys'), `k1:${key()}\nindex:${key()}\n`)
    await expect(restored(fresh, file)).rejects.toThrow('was sealed with')
    expect(await readdir(fresh)).toEqual(['keys'])
    await rm(fresh, { recursive: true, force: true })
  })
})
