import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { createTestDatabase } from '#test/database.ts'
import { parseKeys } from './key-ring.ts'
import { rememberKeys } from './remembered-keys.ts'

it('the keys of a database are remembered, and others refused', async () => {
  const { db } = await createTestDatabase()
  const key = () => randomBytes(32).toString('base64')
  const [old, next, index] = [`k1:${key()}`, `k2:${key()}`, `index:${key()}`]
  await rememberKeys(db, parseKeys([old, index], 'the test'))
  await rememberKeys(db, parseKeys([next, old, index], 'the test'))
  await rememberKeys(db, parseKeys([next, index], 'the test'))
  await expect(rememberKeys(db, parseKeys([old, index], 'the test'))).rejects.toThrow('k2')
  await expect(rememberKeys(db, parseKeys([next, `index:${key()}`], 'the test'))).rejects.toThrow('index')
})
