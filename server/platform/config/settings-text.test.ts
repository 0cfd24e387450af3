import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { settingsExample, settingsTable } from './settings-text.ts'

test('docs/operating.md has every setting as it is', () => {
  const text = readFileSync(join(import.meta.dirname, '../../../docs/operating.md'), 'utf8')
  const documented = /<!-- settings -->\n(.*)<!-- \/settings -->/s.exec(text)?.[1]
  expect(documented).toBe(settingsTable())
})

test('.env.example has every setting as it is', () => {
  const text = readFileSync(join(import.meta.dirname, '../../../.env.example'), 'utf8')
  expect(text).toBe(settingsExample())
})
