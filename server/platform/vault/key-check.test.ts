import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { createTestDatabase } from '#test/database.ts'
import { rememberKeys } from './key-check.ts'
import { parseKeys } from './key-ring.ts'

it('remembers the keys of a database and refuses others', async () => {
  const { db } = await createTestDatabase()
  const key = () => randomBytes(32).toString('base64')
  const [old, next, index] = [`k1:${key()}`, `k2:${key()}`, `index:${key()}`]
  await rememberKeys(db, parseKeys([old, index], 'the test'))
  await rememberKeys(db, parseKeys([next, old, index], 'the test'))
  await rememberKeys(db, parseKeys([next, index], 'the test'))
  await expect(rememberKeys(db, parseKeys([old, index], 'the test'))).rejects.toThrow('k2')
  await expect(rememberKeys(db, parseKeys([next, `index:${key()}`], 'the test'))).rejects.toThrow('index')
})
