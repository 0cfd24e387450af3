import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { beforeEach, describe, expect, it } from 'vitest'
import { OperatorError } from '#server/platform/config/operator-error.ts'
import { loadKeys, makeKeys } from './keys.ts'

const key = () => randomBytes(32).toString('base64')
const exported = (ring: Awaited<ReturnType<typeof loadKeys>>) => ring.masters.get(ring.currentId)?.export()

let dataDir: string
beforeEach(async () => {
  dataDir = join(await mkdtemp(join(tmpdir(), 'unspent-keys-')), 'data')
})

const embedded = () => makeKeys({ dataDir })
const external = (secretKeys?: string) =>
  makeKeys({ dataDir, secretKeys, databaseUrl: 'postgres://localhost/unspent' })

describe('the key file', () => {
  it('is created once, readable by its owner only', async () => {
    const made = await embedded()
    expect(made.currentId).toBe('k1')
    expect((await stat(join(dataDir, 'keys'))).mode & 0o777).toBe(0o600)
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700)
    expect(await readdir(dataDir)).toEqual(['keys'])
    const again = await embedded()
    expect(exported(again)).toEqual(exported(made))
    expect(again.index.export()).toEqual(made.index.export())
  })

  it('is not created for an existing database', async () => {
    await expect(loadKeys({ dataDir })).rejects.toThrow(
      /^There are no keys in \S+keys, and SECRET_KEYS is not set\. [^\n]+$/,
    )
    await expect(stat(dataDir)).rejects.toThrow('ENOENT')
  })

  it('is created once by concurrent starts', async () => {
    const rings = await Promise.all(Array.from({ length: 8 }, () => embedded()))
    expect(new Set(rings.map((ring) => exported(ring)?.toString('hex'))).size).toBe(1)
  })

  it('works with an external database too', async () => {
    const made = await embedded()
    expect(exported(await external())).toEqual(exported(made))
  })

  it('is made private if others may read it', async () => {
    await embedded()
    await chmod(join(dataDir, 'keys'), 0o644)
    await embedded()
    expect((await stat(join(dataDir, 'keys'))).mode & 0o777).toBe(0o600)
  })

  it('may have a new key on top, comments and Windows line endings', async () => {
    await embedded()
    const path = join(dataDir, 'keys')
    const fresh = key()
    await writeFile(path, `# rotated\r\nk2:${fresh}\r\n\r\n${await readFile(path, 'utf8')}`)
    const ring = await embedded()
    expect(ring.currentId).toBe('k2')
    expect([...ring.masters.keys()]).toEqual(['k2', 'k1'])
    expect(exported(ring)?.toString('base64')).toBe(fresh)
  })

  it('is never replaced, even if it is broken or empty', async () => {
    await embedded()
    for (const broken of ['', 'k1:abc\n']) {
      await writeFile(join(dataDir, 'keys'), broken)
      await expect(embedded()).rejects.toThrow(OperatorError)
      expect(await readFile(join(dataDir, 'keys'), 'utf8')).toBe(broken)
    }
  })
})

describe('SECRET_KEYS', () => {
  it('overrides the file, and its first master key is the current one', async () => {
    const [first, second, index] = [key(), key(), key()]
    const ring = await external(` b:${first} , a:${second}, index:${index},`)
    expect(ring.currentId).toBe('b')
    expect([...ring.masters.keys()]).toEqual(['b', 'a'])
    expect(ring.index.export().toString('base64')).toBe(index)
  })

  it.each([undefined, '', '  '])('is required with an external database (%j)', async (unset) => {
    await expect(external(unset)).rejects.toThrow(/^SECRET_KEYS is not set.*openssl rand -base64 32/)
    await expect(stat(dataDir)).rejects.toThrow()
  })

  const [k, i] = [key(), key()]
  it.each([
    ['a key without its name', `${k},index:${i}`, /entry 1 must be name:base64 of 32 bytes/],
    ['a key that is too short', `index:${i},k1:${k.slice(4)}`, /entry 2 must be/],
    ['a key that is too long', `k1:${k.replace('=', 'AAAA')},index:${i}`, /entry 1 must be/],
    ['no base64', `k1:${'*'.repeat(44)},index:${i}`, /entry 1 must be/],
    ['a name with spaces', `k 1:${k},index:${i}`, /entry 1 must be/],
    ['no index key', `k1:${k}`, /no entry named index/],
    ['no master key', `index:${i}`, /no master key/],
    ['a name twice', `k1:${k},k1:${key()},index:${i}`, /entry 2 repeats an earlier name/],
    ['a key twice', `k1:${k},index:${k}`, /entry 2 repeats the key/],
    ['commas only', ',,', /no master key/],
  ])('refuses %s with one line that contains no key', async (_, setting, message) => {
    const error = await external(setting).catch((thrown) => thrown)
    expect(error).toBeInstanceOf(OperatorError)
    expect(error.message).toMatch(message)
    expect(error.message).toMatch(/^SECRET_KEYS: [^\n]+$/)
    expect(error.message).not.toContain(k.slice(4, 12))
    expect(error.message).not.toContain(i.slice(4, 12))
  })

  it('is not shown when logged', async () => {
    const ring = await external(`k1:${k},index:${i}`)
    const shown = inspect(ring, { depth: 9 }) + JSON.stringify({ ...ring, masters: [...ring.masters] })
    expect(shown).not.toContain(k.slice(0, 8))
    expect(shown).not.toContain(Buffer.from(k, 'base64').toString('hex').slice(0, 8))
  })
})
