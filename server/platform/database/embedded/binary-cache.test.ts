import { chmod, chown, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isRoot, makeDataDir, nobody } from '#test/embedded.ts'
import { cachedCopies } from './binary-cache.ts'

async function allOf<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

test.runIf(isRoot)(
  'copies the programs to where the user may go, but not into what is not its own',
  async () => {
    const home = await makeDataDir()
    await chmod(home, 0o755)
    const native = join(home, 'closed/native')
    await mkdir(join(native, 'lib'), { recursive: true })
    await mkdir(join(native, 'bin'), { mode: 0o700 })
    await writeFile(join(native, 'bin/postgres'), '#!/bin/sh', { mode: 0o700 })
    const [squatted, open, good] = ['squatted', 'open', 'good'].map((name) => join(home, name)) as [
      string,
      string,
      string,
    ]
    await mkdir(squatted)
    await chown(squatted, nobody, nobody)
    await mkdir(open)
    await chmod(open, 0o777)

    const copies = await allOf(cachedCopies(native, '1', [squatted, open, good]))
    expect(copies).toEqual([join(good, 'postgresql-1/native')])
    expect((await stat(join(good, 'postgresql-1/native/bin/postgres'))).mode & 0o777).toBe(0o755)
    await writeFile(join(native, 'bin/postgres'), '#!/bin/sh\n# newer')
    await allOf(cachedCopies(native, '1', [good]))
    expect(await readFile(join(good, 'postgresql-1/native/bin/postgres'), 'utf8')).toContain('newer')
  },
)
