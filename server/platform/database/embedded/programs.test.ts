import { chmod, chown, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isRoot, makeDataDir, nobody } from '#test/embedded.ts'
import { copyTo } from './programs.ts'

test.runIf(isRoot)(
  'copies the programs to where the user may run them, but not into a foreign folder',
  async () => {
    const home = await makeDataDir()
    await chmod(home, 0o755)
    const native = join(home, 'closed/native')
    await mkdir(join(native, 'lib'), { recursive: true })
    await mkdir(join(native, 'bin'), { mode: 0o700 })
    await writeFile(join(native, 'bin/postgres'), '#!/bin/sh', { mode: 0o700 })
    const [squatted, open, good] = [join(home, 'squatted'), join(home, 'open'), join(home, 'good')]
    await mkdir(squatted)
    await chown(squatted, nobody, nobody)
    await mkdir(open)
    await chmod(open, 0o777)

    await expect(copyTo(squatted, native, '1')).rejects.toThrow('belongs to someone else')
    await expect(copyTo(open, native, '1')).rejects.toThrow('belongs to someone else')
    const copy = await copyTo(good, native, '1')
    expect(copy).toBe(join(good, 'postgresql-1/native'))
    expect((await stat(join(copy, 'bin/postgres'))).mode & 0o777).toBe(0o755)
    expect((await stat(join(copy, 'bin'))).mode & 0o777).toBe(0o755)
    await writeFile(join(native, 'bin/postgres'), '#!/bin/sh\n# newer')
    expect(await readFile(join(await copyTo(good, native, '1'), 'bin/postgres'), 'utf8')).toContain('newer')
  },
)
