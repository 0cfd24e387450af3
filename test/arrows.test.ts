import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'

/** Holds the linter's rule of who may import whom against the drawing in docs/architecture.md. */

const root = join(import.meta.dirname, '..')

/** A file of each room, what it may import, and what it may not: every room is in one of the two. */
const arrows: Record<string, { may: string[]; mayNot: string[] }> = {
  'domain/probe.ts': {
    may: ['#domain/money.ts', './money.ts'],
    mayNot: ['#contract/a.ts', '#server/a.ts', '#web/a.ts', '../contract/a.ts', 'node:fs', 'zod', 'react'],
  },
  'contract/probe.ts': {
    may: ['#domain/money.ts', '#contract/route.ts', './openapi/types.ts', 'zod'],
    mayNot: ['#server/a.ts', '#web/a.ts', '../server/a.ts', 'node:fs', 'fastify'],
  },
  'server/probe.ts': {
    may: ['#domain/money.ts', '#contract/route.ts', '#server/chat/routes.ts', 'node:fs', 'pg'],
    mayNot: ['#web/a.ts', '../web/a.ts', '../test/a.ts'],
  },
  'server/chat/probe.ts': {
    may: ['./queries.ts', '#server/users/actions.ts', '#server/http/serve.ts', '#contract/chat.ts'],
    mayNot: [
      '#server/users/queries.ts',
      '#server/users/routes.ts',
      '#server/submissions/views.ts',
      '#server/submissions/staff-queries.ts',
      '../submissions/queries.ts',
      '../../web/a.ts',
    ],
  },
  'server/http/probe.ts': { may: ['#server/chat/actions.ts'], mayNot: ['#server/chat/queries.ts'] },
  'web/layout/probe.tsx': {
    may: ['#domain/money.ts', '#contract/routes.ts', '../seller/a.ts', '../ui/Button.tsx', 'react'],
    mayNot: ['#server/a.ts', '../../server/a.ts'],
  },
  'web/public/probe.tsx': {
    may: ['../api/call.ts', './a.ts'],
    mayNot: ['../seller/a.ts', '#web/staff/a.ts', '../../server/a.ts'],
  },
  'web/seller/deep/probe.tsx': { may: ['../a.ts'], mayNot: ['../../public/a.ts', '../../staff/a/b.ts'] },
  'web/staff/probe.tsx': { may: ['../chat/a.ts'], mayNot: ['../public/a.ts', '../seller/a.ts'] },
  'web/router/probe.tsx': {
    may: ['./match.ts', 'react'],
    mayNot: ['../ui/Button.tsx', '../paths.ts', '#domain/money.ts', '#contract/screens.ts', '#web/ui/cx.ts'],
  },
  'web/ui/probe.tsx': {
    may: ['./Button.tsx', './photos/PhotoTile.tsx', '../router/index.ts', '#domain/money.ts', 'react'],
    mayNot: ['../api/a.ts', '../paths.ts', '#domain/quote.ts', '#contract/routes.ts', '#web/api/a.ts'],
  },
  'web/ui/photos/probe.tsx': { may: ['../Button.tsx'], mayNot: ['../../api/a.ts', '#domain/money.ts'] },
  'test/probe.ts': { may: ['#server/a.ts', '#contract/a.ts', '#domain/a.ts'], mayNot: ['#web/a.ts'] },
  'bench/probe.ts': { may: ['#server/a.ts', '#test/a.ts'], mayNot: ['#web/a.ts', '../web/a.ts'] },
  'demo/probe.ts': { may: ['#server/a.ts', '#test/a.ts'], mayNot: ['#web/a.ts', '../web/a.ts'] },
  'server/probe.test.ts': { may: ['#test/app.ts'], mayNot: ['#web/a.ts'] },
}

/** Nobody imports what is outside of the product. */
for (const [file, { mayNot }] of Object.entries(arrows)) {
  if (!/^(domain|contract|server|web)\//.test(file) || file.includes('.test.')) continue
  mayNot.push('#test/a.ts', '#bench/a.ts', '#demo/a.ts')
}

let folder: string
/** Each import that the rule refuses, as `FILE -> WHAT`. */
let refused: Set<string>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'unspent-arrows-'))
  await copyFile(join(root, 'biome.json'), join(folder, 'biome.json'))
  for (const [file, { may, mayNot }] of Object.entries(arrows)) {
    await mkdir(join(folder, dirname(file)), { recursive: true })
    await writeFile(
      join(folder, file),
      [...may, ...mayNot].map((name) => `export * from '${name}'\n`).join(''),
    )
  }
  refused = await lint()
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function lint(): Promise<Set<string>> {
  const biome = join(root, 'node_modules/.bin/biome')
  const args = ['lint', '--only=style/noRestrictedImports', '--vcs-enabled=false', '--max-diagnostics=none']
  const run = promisify(execFile)(biome, [...args, '--reporter=github'], { cwd: folder })
  const { stdout } = await run.catch((error) => error)
  const places = stdout.matchAll(/file=(?:[^,]*unspent-arrows-\w+\/)?([^,]+),line=(\d+)/g)
  return new Set([...places].map(([, file = '', line]) => `${file} -> ${importIn(file, Number(line))}`))
}

function importIn(file: string, line: number): string | undefined {
  const { may = [], mayNot = [] } = arrows[file] ?? {}
  return [...may, ...mayNot][line - 1]
}

it.each(Object.keys(arrows))('%s imports what its room may, and nothing else', (file) => {
  const { may = [], mayNot = [] } = arrows[file] ?? {}
  expect(mayNot.filter((name) => !refused.has(`${file} -> ${name}`))).toEqual([])
  expect(may.filter((name) => refused.has(`${file} -> ${name}`))).toEqual([])
})
