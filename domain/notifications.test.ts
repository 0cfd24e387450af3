import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { letterKinds } from './notifications.ts'

it('lists every kind of letter in docs/operating.md', () => {
  const page = readFileSync(join(import.meta.dirname, '../docs/operating.md'), 'utf8')
  const [, section = ''] = page.split('### Every mail and push\n')
  const rows = [...section.matchAll(/^\| `(\w+)` \| .+ \| (\w+) \| (\w+) \|$/gm)]
  const documented = rows.map(([, kind, mail, push]) => [kind, { mail, push }])
  expect(documented).toEqual(Object.entries(letterKinds))
})
