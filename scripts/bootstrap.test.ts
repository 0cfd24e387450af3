import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

// A variable, because the type check does not cover the scripts: they are plain JavaScript for any Node.
const script = './bootstrap.mjs'
const { brandHash } = await import(script)

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'unspent-brand-'))
  vi.stubEnv('BRAND_DIR', folder)
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await rm(folder, { recursive: true, force: true })
})

it('builds the pages again when a file of the brand changes', async () => {
  await writeFile(join(folder, 'brand.json'), '{"name": "Tarjeta Swap"}')
  const before = brandHash()
  expect(brandHash()).toBe(before)
  await writeFile(join(folder, 'brand.json'), '{"name": "Tarjeta Shop"}')
  expect(brandHash()).not.toBe(before)
})

it.each(['BRAND_DIR', 'PRODUCT_NAME', 'SUPPORT_EMAIL', 'SUPPORT_PHONE', 'SUPPORT_HOURS'])(
  'builds the pages again when %s changes',
  async (name) => {
    await writeFile(join(folder, 'brand.json'), '{"name": "Tarjeta Swap"}')
    const before = brandHash()
    vi.stubEnv(name, join(folder, 'other'))
    expect(brandHash()).not.toBe(before)
  },
)
