import { join } from 'node:path'
import { OperatorError } from '#server/platform/config/operator-error.ts'
import { reportCrash } from '#server/platform/crash-handler.ts'
import { CROWD, measureCalls, measureCrowd, measureReports, REPORTS } from './calls.ts'
import { printFindings, say } from './findings.ts'
import { measureGrowth } from './growth.ts'
import { moveToSocket, pushAmong } from './live.ts'
import { readOptions, wholeNumber } from './options.ts'
import { measurePages } from './pages/pages.ts'
import { measurePayouts } from './payouts.ts'
import { measurePeers, parsePushes, startParse } from './peers/peers.ts'
import { makePhotos, measurePhotos, removePhotos } from './photos.ts'
import { bareRows, LISTED, listRow, moveRows, recordStatements, searchedTexts, signInRow } from './rows.ts'
import { measureScan } from './scan/scan.ts'
import { type Stage, setStage } from './stage.ts'
import { startFindings } from './start.ts'

/**
 * `npm run bench`: compares the server with the simplest code that does the same work, in one run. Ratios of CPU time are
 * stable on a noisy machine. See docs/performance.md.
 */
const usage = `npm run bench -- [--submissions N] [--data FOLDER] [--part NAME]… [--only WORD] [--sizes N,N,…]

  --submissions N    number of submissions (100000)
  --data FOLDER      keeps the generated data there, in a folder for each size, for later runs
  --part NAME        only this part: start, calls, photos, live, payouts, pages, growth or scan. Can be repeated
  --only WORD        only operations of calls and growth with this word in their name
  --sizes N,N,…      numbers of submissions for growth (1000,10000,100000)
  --with-peers       also compares calls and live with Parse Server, which it installs into dist/.peers`

const PARTS = ['start', 'calls', 'photos', 'live', 'payouts', 'pages', 'growth', 'scan'] as const
type Part = (typeof PARTS)[number]

interface Options {
  readonly submissions: number
  readonly data: string | undefined
  readonly parts: readonly string[]
  readonly only: string
  readonly sizes: readonly number[]
  readonly withPeers: boolean
}

function parseCommand(): Options {
  const text = { type: 'string' } as const
  const options = {
    submissions: text,
    data: text,
    only: text,
    sizes: text,
    part: { ...text, multiple: true },
    'with-peers': { type: 'boolean' },
  } as const
  const values = readOptions(options, usage)
  const { submissions = '100000', data, only = '', sizes = '1000,10000,100000' } = values
  const parts: readonly string[] = values.part ?? PARTS
  const unknown = parts.find((name) => !(PARTS as readonly string[]).includes(name))
  if (unknown) throw new OperatorError(`Unknown part ${unknown}. The parts are ${PARTS.join(', ')}`)
  return {
    submissions: wholeNumber('submissions', submissions),
    data,
    parts,
    only,
    sizes: sizes.split(',').map((size) => wholeNumber('sizes', size)),
    withPeers: values['with-peers'] ?? false,
  }
}

const wants = ({ parts }: Options, ...some: Part[]) => some.some((part) => parts.includes(part))

try {
  const missed = await measure(parseCommand())
  say(missed === 0 ? '\nAll goals are reached.' : `\nGoals not reached: ${missed}.`)
  process.exitCode = missed === 0 ? 0 : 1
} catch (error) {
  reportCrash(error)
}

/** @returns how many goals are missed */
async function measure(options: Options): Promise<number> {
  let missed = 0
  if (wants(options, 'start', 'calls', 'photos', 'live', 'payouts', 'pages')) {
    const folder = options.data && join(options.data, String(options.submissions))
    const stage = await setStage(options.submissions, folder, wants(options, 'start') ? 4 : 1)
    try {
      missed += await measureOn(stage, options)
    } finally {
      await stage.end()
    }
  }
  if (wants(options, 'growth')) missed += await measureGrowth(options.sizes, options.data, options.only)
  if (wants(options, 'scan')) missed += printFindings(await measureScan())
  return missed
}

async function measureOn(stage: Stage, options: Options): Promise<number> {
  const { only } = options
  let misses = 0
  if (wants(options, 'start')) misses += printFindings(startFindings(stage))
  const texts = Object.entries(await searchedTexts(stage))
  const statements = await recordStatements(stage, [LISTED, ...texts.map(([, q]) => ({ q }))])
  const brands = await fetch(`${stage.url}/api/brands`)
  const photos = await makePhotos()
  await using stack = new AsyncDisposableStack()
  try {
    const limit = await stage.limit({ statements, brands: await brands.text(), photos: photos.paths })
    const parse =
      options.withPeers && wants(options, 'calls', 'live') ? await startParse(stage, stack) : undefined
    if (wants(options, 'calls')) {
      const list = listRow(stage, limit, 'staff list, status and brand', 1 / 1.3, LISTED)
      const moves = await moveRows(stage, limit)
      const signIn = await signInRow(stage, limit)
      const rows = [
        ...bareRows(limit, brands.headers.get('etag') ?? ''),
        list,
        ...texts.map(([name, q]) => listRow(stage, limit, `search by ${name}`, 0.7, { q })),
        ...moves,
        signIn,
      ]
      misses += await measureCalls(
        stage,
        limit,
        rows.filter(({ name }) => name.includes(only)),
      )
      if (parse) misses += printFindings(await measurePeers(stage, parse, { move: moves[0], list, signIn }))
      if (REPORTS.includes(only)) misses += printFindings([await measureReports(stage, options.submissions)])
      if (CROWD.includes(only)) misses += printFindings([await measureCrowd(stage)])
    }
    if (wants(options, 'live')) {
      const peer = parse && (await parsePushes(parse, stack))
      misses += printFindings([
        ...(await moveToSocket(stage, limit, peer)),
        ...(await pushAmong(stage, limit)),
      ])
    }
    if (wants(options, 'photos')) misses += printFindings(await measurePhotos(stage, limit, photos))
    if (wants(options, 'payouts')) misses += printFindings([await measurePayouts(stage)])
    if (wants(options, 'pages')) misses += await measurePages(stage)
  } finally {
    await removePhotos(photos)
  }
  return misses
}
