import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { OperatorError } from '#server/platform/config/operator-error.ts'
import { demoFile, readDemo } from './demo.ts'

it('treats a folder of real data as no demo, and reports a damaged demo in one line', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'unspent-demo-'))
  expect(await readDemo(folder)).toBeUndefined()
  expect(await readDemo(join(folder, 'not-there'))).toBeUndefined()
  for (const damaged of ['', '{"seller": {}}']) {
    await writeFile(demoFile(folder), damaged)
    const error = await readDemo(folder).catch((thrown) => thrown)
    expect(error).toBeInstanceOf(OperatorError)
    expect(error.message).toMatch(/^\S+demo.json cannot be read: [^\n]+$/)
  }
})
