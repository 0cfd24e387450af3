import { join } from 'node:path'
import { OperatorError } from '#server/platform/config/operator-error.ts'
import { reportCrash } from '#server/platform/crash-handler.ts'
import { measureCalls } from './calls.ts'
import { CROWD, measureCrowd } from './crowd.ts'
import { say, sayFindings } from './findings.ts'
import { measureGrowth } from './growth.ts'
import { moveToSocket } from './live.ts'
import { readOptions, wholeNumber } from './options.ts'
import { measurePages } from './pages/pages.ts'
import { makePhotos, measurePhotos, removePhotos } from './photos.ts'
import { pushAmong } from './pushes.ts'
import { bareRows, LISTED, listRow, moveRows, recordStatements, searchedTexts, signInRow } from './rows.ts'
import { type Stage, setStage } from './stage.ts'
import { measureMemory, measureStart } from './start.ts'

/**
 * `npm run bench`: the product beside the least that the same work costs, in one run. Ratios of processor time hold on a
 * noisy machine. See docs/performance.md.
 */
const usage = `npm run bench -- [--submissions N] [--data FOLDER] [--part NAME]… [--only WORD] [--sizes N,N,…]

  --submissions N    how many there are (100000)
  --data FOLDER      keeps what is generated in a folder of each size below it; later runs start at once
  --part NAME        one part only, or several: start, calls, photos, live, pages, growth
  --only WORD        of calls and growth only the operations with that word in their name
  --sizes N,N,…      what growth is measured over (1000,10000,100000)`

const PARTS = ['start', 'calls', 'photos', 'live', 'pages', 'growth'] as const
type Part = (typeof PARTS)[number]

interface Asked {
  readonly submissions: number
  readonly data: string | undefined
  readonly parts: readonly string[]
  readonly only: string
  readonly sizes: readonly number[]
}

function readAsked(): Asked {
  const text = { type: 'string' } as const
  const options = {
    submissions: text,
    data: text,
    only: text,
    sizes: text,
    part: { ...text, multiple: true },
  } as const
  const values = readOptions(options, usage)
  const { submissions = '100000', data, only = '', sizes = '1000,10000,100000' } = values
  const parts: readonly string[] = values.part ?? PARTS
  const unknown = parts.find((name) => !(PARTS as readonly string[]).includes(name))
  if (unknown) throw new OperatorError(`There is no part ${unknown}; there are ${PARTS.join(', ')}`)
  return {
    submissions: wholeNumber('submissions', submissions),
    data,
    parts,
    only,
    sizes: sizes.split(',').map((size) => wholeNumber('sizes', size)),
  }
}

const asks = ({ parts }: Asked, ...some: Part[]) => some.some((part) => parts.includes(part))

try {
  const missed = await measure(readAsked())
  say(missed === 0 ? '\nEvery goal is reached.' : `\n${missed} goals are not reached.`)
  process.exitCode = missed === 0 ? 0 : 1
} catch (error) {
  reportCrash(error)
}

/** @returns how many goals are missed */
async function measure(asked: Asked): Promise<number> {
  let missed = 0
  if (asks(asked, 'start', 'calls', 'photos', 'live', 'pages')) {
    const folder = asked.data && join(asked.data, String(asked.submissions))
    const stage = await setStage(asked.submissions, folder, asks(asked, 'start') ? 4 : 1)
    try {
      missed += await measureOn(stage, asked)
    } finally {
      await stage.end()
    }
  }
  if (asks(asked, 'growth')) missed += await measureGrowth(asked.sizes, asked.data, asked.only)
  return missed
}

async function measureOn(stage: Stage, asked: Asked): Promise<number> {
  const { only } = asked
  let misses = 0
  if (asks(asked, 'start')) misses += sayFindings(await measureStart(stage))
  const texts = Object.entries(await searchedTexts(stage))
  const statements = await recordStatements(stage, [LISTED, ...texts.map(([, q]) => ({ q }))])
  const brands = await fetch(`${stage.url}/api/brands`)
  const photos = await makePhotos()
  try {
    const limit = await stage.limit({ statements, brands: await brands.text(), photos: photos.paths })
    if (asks(asked, 'calls')) {
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
    if (asks(asked, 'live')) {
      misses += sayFindings([await moveToSocket(stage, limit), ...(await pushAmong(stage, limit))])
    }
    if (asks(asked, 'photos')) misses += sayFindings(await measurePhotos(stage, limit, photos))
    if (asks(asked, 'start')) misses += sayFindings(measureMemory(stage))
    if (asks(asked, 'pages')) misses += await measurePages(stage)
  } finally {
    await removePhotos(photos)
  }
  return misses
}
