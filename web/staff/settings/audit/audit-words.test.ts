import { beforeAll, expect, it } from 'vitest'
import { auditActions, auditDetails } from '#contract/audit.ts'
import { loadWords } from '#web/words/words.ts'
import { readFilters } from '../../list/use-address.ts'
import { auditFilters, toQuery } from './audit-filters.ts'
import { actionWords, actorWords, detailLines, wordsOf } from './audit-words.ts'

beforeAll(() => loadWords('staff'))

it('names every action', () => {
  const words = auditActions.map((action) => actionWords[action])
  expect(words.filter((text) => !text || /[._]/.test(text))).toEqual([])
  expect(new Set(words).size).toBe(auditActions.length)
  expect(wordsOf('newer.than_this')).toBe('newer.than_this')
  expect(wordsOf('constructor')).toBe('constructor')
})

it('says every detail of every action in words', () => {
  const names = auditDetails
    .flatMap((field) => detailLines({ details: { [field]: '1' } }))
    .map((line) => line.split(':')[0])
  expect(names.filter((name) => !name || /^[a-z]|[_.]|[a-z][A-Z]/.test(name))).toEqual([])
  expect(new Set(names).size).toBe(names.length)
})

it.each([
  [{}, []],
  [{ from: 'pending', to: 'rejected', reason: 'Blurry' }, ['Pending → Rejected', 'Reason: Blurry']],
  [{ from: 'ben' }, ['From: ben']],
  [
    { popular: { from: false, to: true }, rate: { from: '93.00', to: '92.50' } },
    ['Rate: 93% → 92.50%', 'Popular: no → yes'],
  ],
  [{ failed: 1, pending: 2, deletedCount: 3 }, ['Removed: 3', 'Pending: 2', 'Failed: 1']],
  [{ from: 'pending', to: 'processing', move: 'start' }, ['Pending → Processing', 'Move: Start Processing']],
  [
    { count: 2, total: '186.00', alone: true, paymentTypes: ['cash_app', 'zelle'] },
    ['Payouts: 2', 'Total: $186.00', 'Payment types: Cash App, Zelle', 'Released alone: yes'],
  ],
  [{ by: 'command line' }, []],
  [{ days: 90, role: 'payer' }, ['Role: payer', 'Valid for days: 90']],
  [{ returnCode: 'R03', accountDead: true }, ['Return code: R03', 'Account: cannot be in a batch again']],
  [
    { from: 'completed', to: 'processing', move: 'return' },
    ['Completed → Processing', 'Move: the money came back'],
  ],
  [{ factor: 'paused' }, ['Second factor: too many wrong codes']],
  [{ newer: { deep: [1] }, minAmount: null }, ['Minimum: $0', 'newer: {"deep":[1]}']],
])('says %j as %j', (details, lines) => expect(detailLines({ details })).toEqual(lines))

const nobody = {
  id: '1',
  at: '',
  action: '',
  subjectKind: '',
  subject: null,
  hash: '',
  actor: null,
  batchNumber: null,
} as const

it.each([
  [{ actor: 'ana', actorKind: 'staff', details: {} }, 'ana'],
  [{ actorKind: 'visitor', details: {} }, 'Not signed in'],
  [{ actorKind: 'system', details: { by: 'command line' } }, 'Operator, command line'],
  [{ actorKind: 'system', details: {} }, 'The system'],
] as const)('names %j', (entry, words) => expect(actorWords({ ...nobody, ...entry })).toBe(words))

const read = (query: string) => readFilters(new URLSearchParams(query), auditFilters)

it('reads days in the time zone of the reader, and ignores invalid ones', () => {
  const { from, to } = toQuery(read('from=2026-02-28&to=2026-02-28'))
  expect(new Date(String(to)).getTime() - new Date(String(from)).getTime()).toBe(86_400_000)
  expect(new Date(String(from)).getHours()).toBe(0)
  expect(toQuery(read('from=yesterday&to=2026-99-01&action=nothing&actor=%20&subject=&ahead=on'))).toEqual({})
})

it('hides photos loaded ahead unless they are asked for', () => {
  expect(toQuery(read(''))).toEqual({ ahead: 'false' })
  expect(toQuery(read('ahead=on'))).toEqual({})
  const action = 'submission.photo_loaded_ahead'
  expect(toQuery(read(`action=${action}`))).toEqual({ action })
})
