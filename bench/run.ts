import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { measureCalls } from './calls.ts'
import { CROWD, measureCrowd } from './crowd.ts'
import { say, sayFindings } from './findings.ts'
import { measureGrowth } from './growth.ts'
import { moveToSocket } from './live.ts'
import { measurePages } from './pages/pages.ts'
import { makePhotos, measurePhotos, removePhotos } from './photos.ts'
import { pushAmong } from './pushes.ts'
import { bareRows, LISTED, listRow, moveRows, recordStatements, searchedTexts, signInRow } from './rows.ts'
import { type Stage, setStage } from './stage.ts'
import { measureMemory, measureStart } from './start.ts'

/**
 * `npm run bench`: the product beside the least that the same work costs, in one run. Ratios of processor time hold on a
 * noisy machine. See docs/performance.md.
 *
 *   --submissions N    how many there are (100,000)
 *   --data FOLDER      keeps what is generated in a folder of each size below it; later runs start at once
 *   --part NAME        one part only, or several: start, calls, photos, live, pages, growth
 *   --only WORD        of calls and growth only the operations with that word in their name
 *   --sizes N,N,…      what growth is measured over (1000,10000,100000)
 */

const text = { type: 'string' } as const
const { values } = parseArgs({
  options: {
    submissions: text,
    data: text,
    only: text,
    sizes: text,
    part: { type: 'string', multiple: true },
  },
})
const asks = (...parts: string[]) => !values.part || parts.some((part) => values.part?.includes(part))
const only = values.only ?? ''
const submissions = Number(values.submissions ?? 100_000)

let missed = 0
if (asks('start', 'calls', 'photos', 'live', 'pages')) {
  const folder = values.data && join(values.data, String(submissions))
  const stage = await setStage(submissions, folder, asks('start') ? 4 : 1)
  try {
    missed += await measureOn(stage)
  } finally {
    await stage.end()
  }
}
if (asks('growth')) {
  const sizes = (values.sizes ?? '1000,10000,100000').split(',').map(Number)
  missed += await measureGrowth(sizes, values.data, only)
}
say(missed === 0 ? '\nEvery goal is reached.' : `\n${missed} goals are not reached.`)
process.exitCode = missed === 0 ? 0 : 1

async function measureOn(stage: Stage): Promise<number> {
  let misses = 0
  if (asks('start')) misses += sayFindings(await measureStart(stage))
  const texts = Object.entries(await searchedTexts(stage))
  const statements = await recordStatements(stage, [LISTED, ...texts.map(([, q]) => ({ q }))])
  const brands = await fetch(`${stage.url}/api/brands`)
  const photos = await makePhotos()
  try {
    const limit = await stage.limit({ statements, brands: await brands.text(), photos: photos.paths })
    if (asks('calls')) {
      const rows = [
        ...bareRows(limit, brands.headers.get('etag') ?? ''),
        listRow(stage, limit, 'staff list, status and brand', 0.75, LISTED),
        ...texts.map(([name, q]) => listRow(stage, limit, `search by ${name}`, 0.7, { q })),
        ...(await moveRows(stage, limit)),
        await signInRow(stage, limit),
      ]
      misses += await measureCalls(
        stage,
        limit,
        rows.filter(({ name }) => name.includes(only)),
      )
      if (CROWD.includes(only)) misses += sayFindings([await measureCrowd(stage)])
    }
    if (asks('live')) {
      misses += sayFindings([await moveToSocket(stage, limit), ...(await pushAmong(stage, limit))])
    }
    if (asks('photos')) misses += sayFindings(await measurePhotos(stage, limit, photos))
    if (asks('start')) misses += sayFindings(measureMemory(stage))
    if (asks('pages')) misses += await measurePages(stage)
  } finally {
    await removePhotos(photos)
  }
  return misses
}
