import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, it } from 'vitest'

/** Checks the imports of every file against the floor plan in docs/architecture.md. */

const root = join(import.meta.dirname, '..')

const rules = 'words domain contract'
const server = `${rules} server/platform server/context server/http`
const features = `${server} server/features`
const web = `${rules} web/words web/kit web/wire web/forms web/cards web/chat web/credentials`

/** The rooms, each with the rooms that it may import besides itself. */
const rooms: Readonly<Record<string, string>> = {
  words: '',
  domain: '',
  brand: 'words domain',
  contract: 'words domain',
  'server/platform': `${rules} brand`,
  'server/context': 'words domain server/platform',
  'server/http': `${rules} server/platform server/context`,
  'server/features': server,
  'server/housekeeping': features,
  'server/operator': `brand ${features}`,
  'server/app': features,
  'server/job-handlers': features,
  'server/start': `${features} server/app server/housekeeping server/job-handlers server/operator`,
  'server/demo': 'domain server/platform',
  'server/main': `${features} server/start server/demo`,
  'web/words': rules,
  'web/kit': 'words domain web/words',
  'web/wire': `${rules} web/words web/kit`,
  'web/forms': `${rules} web/words web/kit web/wire`,
  'web/cards': `${rules} web/words web/kit web/wire web/forms`,
  'web/chat': `${rules} web/words web/kit web/wire web/forms web/cards`,
  'web/credentials': `${rules} web/words web/kit web/wire web/forms`,
  'web/visitor': web,
  'web/seller': web,
  'web/staff': web,
  'web/app': `brand ${web} web/visitor web/seller web/staff`,
  'web/vite-env': 'domain',
}

/** The features, each with the features that it may call. */
const calls: Readonly<Record<string, string>> = {
  accounts: 'audit books claims',
  audit: '',
  'balance-connectors': 'audit webhooks',
  books: 'audit',
  brands: 'audit',
  chat: 'accounts audit claims notifications payouts submissions',
  claims: 'audit',
  docs: 'accounts',
  figures: '',
  inventory: 'audit books submissions',
  live: 'accounts',
  notifications: 'books',
  'own-data': 'accounts audit books chat notifications payment-methods submissions',
  'payment-methods': 'accounts books',
  payouts: 'accounts audit books claims notifications submissions',
  reports: 'audit books',
  reviews: 'audit',
  submissions: 'accounts audit balance-connectors books brands claims notifications payment-methods',
  system: 'accounts audit payouts submissions',
  webhooks: 'audit',
}

/** The rooms of the staff's screens, each with the rooms that it may import besides itself. */
const shared = 'shell list facts'
const staffRooms: Readonly<Record<string, string>> = {
  shell: '',
  list: 'shell',
  facts: 'shell list',
  desk: `${shared} sellers`,
  payouts: shared,
  inventory: shared,
  chat: shared,
  sellers: shared,
  reports: shared,
  settings: shared,
}

/** What one feature may import from another. */
const ENTRANCES =
  /\/(actions|catalog|expected-days|own-data|submissions\/(photos|upload)|payout-effects|payout-stop|seller-search|settings|sellers\/account|(books|sessions)\/[\w-]+)\.ts$/

interface Import {
  readonly from: string
  readonly to: string
}

const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.ts', '*.tsx'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file && existsSync(join(root, file)))

const imports: readonly Import[] = files.flatMap(importsOf)
/** The imports of what is shipped. */
const shipped = imports.filter(
  ({ from }) => /^(words|brand|domain|contract|server|web)\//.test(from) && !isTest(from),
)

it('imports go down the floor plan', () => {
  const refused = shipped.filter(({ from, to }) => {
    const [a, b] = [roomOf(from), roomOf(to)]
    return a !== b && !(rooms[a] ?? '').split(' ').includes(b)
  })
  expect(refused.map(written)).toEqual([])
})

it('features call each other only as planned, and only through their actions', () => {
  const refused = shipped.filter(({ from, to }) => {
    const [a, b] = [featureOf(from), featureOf(to)]
    if (!a || !b || a === b) return false
    return !(calls[a] ?? '').split(' ').includes(b) || !ENTRANCES.test(to)
  })
  expect(refused.map(written)).toEqual([])
})

it('screens of staff share only what is in the shared rooms', () => {
  const refused = shipped.filter(({ from, to }) => {
    const [a, b] = [staffRoomOf(from), staffRoomOf(to)]
    return a && b && a !== b && !staffRooms[a]?.split(' ').includes(b)
  })
  expect(refused.map(written)).toEqual([])
})

it('the domain and the contract import no packages but zod', () => {
  const refused = files
    .filter((file) => /^(domain|contract)\//.test(file) && !isTest(file))
    .flatMap((file) => specifiersOf(file).map((name) => ({ from: file, to: name })))
    .filter(({ from, to }) => !/^[#.]/.test(to) && !(from.startsWith('contract/') && to === 'zod'))
  expect(refused.map(written)).toEqual([])
})

it('nothing outside web/ imports it, tests included', () => {
  const refused = imports.filter(
    ({ from, to }) => !/^(web\/|vite(st)?\.config)/.test(from) && to.startsWith('web/'),
  )
  expect(refused.map(written)).toEqual([])
})

it('the whole, the server and the web each have at most 12 rooms', () => {
  const product = files.filter((file) => !isTest(file))
  const topOf = (folder: string) => {
    const inside = product.filter((file) => file.startsWith(folder))
    return new Set(inside.map((file) => file.slice(folder.length).split('/')[0]))
  }
  expect(topOf('server/').size).toBeLessThanOrEqual(12)
  expect(topOf('web/').size).toBeLessThanOrEqual(12)
})

it('docs/architecture.md has a line for every folder', () => {
  const map = readFileSync(join(root, 'docs/architecture.md'), 'utf8')
  const folders = new Set(
    files.filter((file) => /^(brand|domain|contract|server|web)\//.test(file)).map(dirname),
  )
  expect([...folders].filter((folder) => !map.includes(`| \`${folder}/\` |`))).toEqual([])
})

it('no files import each other in a circle', () => {
  expect(circlesOf(shipped.map(({ from, to }) => [from, to]))).toEqual([])
})

it('no features call each other in a circle', () => {
  const planned = Object.entries(calls).flatMap(([from, to]) =>
    to.split(' ').map((called) => [from, called] as const),
  )
  expect(circlesOf(planned)).toEqual([])
})

function circlesOf(arrows: readonly (readonly [from: string, to: string])[]): string[][] {
  const next = new Map<string, string[]>()
  for (const [from, to] of arrows) next.set(from, [...(next.get(from) ?? []), to])
  const circles: string[][] = []
  const done = new Set<string>()
  const walk = (one: string, path: readonly string[]) => {
    if (path.includes(one)) circles.push([...path.slice(path.indexOf(one)), one])
    if (path.includes(one) || done.has(one)) return
    for (const to of next.get(one) ?? []) walk(to, [...path, one])
    done.add(one)
  }
  for (const one of next.keys()) walk(one, [])
  return circles
}

function importsOf(from: string): Import[] {
  return specifiersOf(from).flatMap((name) => {
    const to = name.startsWith('#') ? name.slice(1) : normalize(join(dirname(from), name))
    return /^[#.]/.test(name) && files.includes(to) ? [{ from, to }] : []
  })
}

function specifiersOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8')
  return [...text.matchAll(/^(?:import |(?:import|export|\}).* from )'([^']+)'|\bimport\('([^']+)'\)/gm)].map(
    ([, statically, lazily]) => statically ?? lazily ?? '',
  )
}

function isTest(file: string): boolean {
  return /\.test\.tsx?$/.test(file)
}

function roomOf(file: string): string {
  const [first = '', second = ''] = file.split('/')
  return first === 'server' || first === 'web' ? `${first}/${second.replace(/(\.d)?\.tsx?$/, '')}` : first
}

function featureOf(file: string): string | undefined {
  return /^server\/features\/([\w-]+)\//.exec(file)?.[1]
}

function staffRoomOf(file: string): string | undefined {
  return /^web\/staff\/([\w-]+)/.exec(file)?.[1]
}

function written({ from, to }: Import): string {
  return `${from} -> ${to}`
}
