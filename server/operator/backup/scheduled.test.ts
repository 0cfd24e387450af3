import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { operatorWith } from '#test/operator.ts'
import { ADMIN_PASSWORD, SELLER_PASSWORD } from '#test/people.ts'
import { Person } from '#test/person.ts'
import { remote } from '#test/remote.ts'
import { startStore, type TestStore } from '#test/s3-store.ts'
import { newDataDir, ServerProcess } from '#test/server-process.ts'
import { submitted } from '#test/submissions.ts'
import { backupName } from './store.ts'

let folder: string
let dataDir: string
let identity: string
let settings: Record<string, string>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'unspent-test-backups-'))
  dataDir = await newDataDir()
  const secret = await generateX25519Identity()
  identity = join(folder, 'identity.txt')
  await writeFile(identity, `# made by age-keygen\n${secret}\n`)
  settings = {
    ADMIN_PASSWORD,
    RATE_LIMITS: 'off',
    BACKUP_TO: `file:${join(folder, 'kept')}`,
    BACKUP_RECIPIENT: await identityToRecipient(secret),
  }
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
  await rm(dataDir, { recursive: true, force: true })
})

async function adminWith(more: Record<string, string>, dataDir: string, ...args: string[]): Promise<string> {
  return (await operatorWith({ DATA_DIR: dataDir, ...more }, ...args)).stdout
}

const refusal = (...args: Parameters<typeof adminWith>): Promise<string> =>
  adminWith(...args).then(
    (output) => `It succeeded: ${output}`,
    (error) => error.stderr,
  )

const stored = () => readdir(join(folder, 'kept')).catch(() => [])

describe('a scheduled backup', () => {
  let id: string

  beforeAll(async () => {
    const server = ServerProcess.start({ DATA_DIR: dataDir, ...settings })
    try {
      const url = await server.ready()
      await vi.waitFor(async () => expect(await stored()).toHaveLength(3), { timeout: 60_000, interval: 100 })
      const seller = new Person(remote(url))
      const account = { username: 'sally', email: 'sally@example.com', password: SELLER_PASSWORD }
      await seller.post('/api/auth/register', { ...account, firstName: 'Sally', lastName: 'Seller' })
      id = await submitted(seller)
      expect(await adminWith(settings, dataDir, 'backup')).toContain('.backup.age is in BACKUP_TO.')
      expect(await adminWith(settings, dataDir, 'backup', '--if-due')).toContain('is new enough')
    } finally {
      await server.end()
    }
  })

  it('is encrypted, with the keys beside it', async () => {
    const names = await stored()
    expect(names).toHaveLength(6)
    for (const name of names) {
      const bytes = await readFile(join(folder, 'kept', name))
      expect(bytes.toString('latin1')).toMatch(/^age-encryption\.org\/v1\n/)
      expect(bytes.includes('manifest.json')).toBe(false)
    }
    expect(await readdir(dataDir)).not.toContain('.scheduled-backup')
  })

  it('proves that it restores, with its key only', async () => {
    const said = await adminWith(settings, dataDir, 'backup', 'verify', '--identity', identity)
    expect(said).toMatch(/restores: submissions 1, payouts 0, and the ledger agrees/)
    expect(await refusal(settings, dataDir, 'backup', 'verify')).toContain('name the file of its key')
    const other = join(folder, 'other.txt')
    await writeFile(other, `${await generateX25519Identity()}\n`)
    expect(await refusal(settings, dataDir, 'backup', 'verify', '--identity', other)).toContain(
      'cannot be decrypted',
    )
  })

  it('is refused if a byte was changed', async () => {
    const [newest = ''] = (await adminWith(settings, dataDir, 'backup', 'list')).split('\n')
    const damaged = join(folder, newest)
    const bytes = await readFile(join(folder, 'kept', newest))
    bytes[bytes.length - 2000] = (bytes.at(-2000) ?? 0) ^ 1
    await writeFile(damaged, bytes)
    expect(await refusal({}, dataDir, 'backup', 'verify', damaged, '--identity', identity)).toContain(
      'cannot be decrypted',
    )
  })

  it('becomes a working shop, whose payouts are stopped', async () => {
    const [newest = ''] = (await adminWith(settings, dataDir, 'backup', 'list')).split('\n')
    const fresh = await newDataDir()
    await adminWith({}, fresh, 'restore', join(folder, 'kept', newest), '--identity', identity)
    const server = ServerProcess.start({ DATA_DIR: fresh, ADMIN_PASSWORD, RATE_LIMITS: 'off' })
    try {
      const staff = new Person(remote(await server.ready()))
      await staff.post('/api/admin/login', { username: 'admin', password: ADMIN_PASSWORD })
      const { json } = await staff.get(`/api/admin/submissions/${id}`)
      expect(json.user.username).toBe('sally')
      expect(server.output).toContain('payouts are stopped')
    } finally {
      await server.end()
      await rm(fresh, { recursive: true, force: true })
    }
  })
})

it('removes old backups, but never the newest three', async () => {
  const kept = await mkdtemp(join(folder, 'old-'))
  const made = [1, 2, 40, 50, 60].map((days) => new Date(Date.now() - days * 24 * 3_600_000))
  for (const at of made)
    for (const part of ['', '.keys']) await writeFile(join(kept, `${backupName(at)}${part}.age`), 'x')
  await writeFile(join(kept, 'something-else.age'), 'x')
  await adminWith({ ...settings, BACKUP_TO: `file:${kept}` }, dataDir, 'backup')
  const left = (await readdir(kept)).filter((name) => name.endsWith('.backup.age'))
  expect(left).toHaveLength(3)
  expect(left).toEqual(expect.arrayContaining(made.slice(0, 2).map((at) => `${backupName(at)}.age`)))
  expect(await readdir(kept)).toContain('something-else.age')
  expect(await readdir(kept)).not.toContain(`${backupName(made[4] as Date)}.keys.age`)
})

describe('in a bucket', () => {
  let store: TestStore
  beforeAll(async () => {
    store = await startStore()
  })
  afterAll(() => store.stop())

  it('is made, listed and proved, and nothing is left of one that fails', async () => {
    const inBucket = { ...settings, BACKUP_TO: store.url.replace('/sealed', '/backups') }
    store.fault = 'failing'
    expect(await refusal(inBucket, dataDir, 'backup')).not.toContain('It succeeded')
    store.fault = 'none'
    expect(await adminWith(inBucket, dataDir, 'backup', 'list')).toContain('There are no backups yet.')
    expect(await adminWith(inBucket, dataDir, 'backup')).toContain('is in BACKUP_TO')
    expect(await store.keys()).toHaveLength(3)
    expect(await adminWith(inBucket, dataDir, 'backup', 'verify', '--identity', identity)).toContain(
      'and the ledger agrees',
    )
  })
})
