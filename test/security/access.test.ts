import { beforeAll, describe, expect, it } from 'vitest'
import type { Access, Route } from '#contract/route.ts'
import { routes } from '#contract/routes.ts'
import { type Capability, may, personalCapabilities, type Role, roles } from '#domain/roles.ts'
import { ensureInstallation } from '#server/operator/installation.ts'
import { createTestApp, type TestApp } from '../app.ts'
import type { Person, TestAnswer } from '../person.ts'
import { type Call, callOf, promisedAnswer, type RouteName, requestFor } from './calls.ts'
import { contentsOf } from './contents.ts'
import { type Subject, subjects } from './subjects.ts'

/** Who calls everything with every subject. Each of the two sellers owns one of the subjects. */
const callers = ['visitor', 'seller', 'other seller', 'owner'] as const
type Caller = (typeof callers)[number]
/** Who calls the staff's routes once, to see whether the role may. */
const otherRoles = roles.filter((role) => role !== 'owner')
/** Which subject is named. Routes that name nothing have the single column `call`. */
const columns = ['own', "other's", 'missing', 'malformed'] as const
type Column = (typeof columns)[number] | 'call'
type Row = Record<string, string>

const names = Object.keys(routes) as RouteName[]
const prepared = new Map<RouteName, Ids | undefined>()
const rows = new Map<RouteName, Row>()
const answers = new Map<string, TestAnswer>()
let server: TestApp
let others = 0
let people: Record<Caller | Role, Person>
/** Has an owner's API token. */
let program: Pick<Person, 'send'>

beforeAll(async () => {
  server = await createTestApp()
  await ensureInstallation(server.db)
  people = {
    visitor: server.visitor(),
    seller: await server.seller('sam'),
    'other seller': await server.seller('otto'),
    ...(await staffOfEachRole()),
  }
  const { token } = (await people.owner.post('/api/admin/tokens', { name: 'all', role: 'owner', days: 1 }))
    .json
  const bearer = { authorization: `Bearer ${token}` }
  program = {
    send: (options) => server.visitor().send({ ...options, headers: { ...options.headers, ...bearer } }),
  }
  for (const name of names) prepared.set(name, await prepare(name))
  const before = await contents()
  // Refused calls come first, and must leave no trace.
  for (const name of names) await callAll(name, prepared.get(name), 'refused')
  expect(await contents()).toEqual(before)
  // Clear-all comes last because it removes the subjects of the others.
  const order = [...names.filter((name) => name !== 'clearSubmissions'), 'clearSubmissions' as const]
  for (const name of order) await callAll(name, prepared.get(name), 'admitted')
}, 300_000)

async function staffOfEachRole(): Promise<Record<Role, Person>> {
  const people: [Role, Person][] = []
  for (const role of roles) people.push([role, await server.staff(role, role)])
  return Object.fromEntries(people) as Record<Role, Person>
}

type Ids = Record<'seller' | 'other seller' | 'missing', string>
const readOnly = new Map<Subject, Ids>()

/** The ids to name, by owner. Calls that change nothing share them. */
async function prepare(name: RouteName): Promise<Ids | undefined> {
  const subject = callOf(name)?.names
  if (!subject) return undefined
  const shared = routes[name].method === 'GET' ? readOnly.get(subject) : undefined
  if (shared) return shared
  const { make, missing } = subjects[subject]
  const of = (caller: Caller) => make(server, people[caller], people.owner)
  const ids = { seller: await of('seller'), 'other seller': await of('other seller'), missing: missing() }
  if (routes[name].method === 'GET') readOnly.set(subject, ids)
  return ids
}

/** Everything a refused call could have changed. */
async function contents(): Promise<Record<string, string>> {
  const { sessions: _touched, api_tokens: _used, ...rest } = await contentsOf(server.pool)
  return rest
}

async function callAll(name: RouteName, ids: Ids | undefined, kind: 'refused' | 'admitted') {
  const call = callOf(name)
  if (!call) return
  for (const caller of callers) {
    for (const column of call.names ? columns : (['call'] as const)) {
      if (isAdmitted(routes[name], caller, column) !== (kind === 'admitted')) continue
      const answer = await callAs(name, call, {
        caller,
        ids: idsFor(call, caller, column, ids),
        alone: call.signsInOrOut === true && kind === 'admitted',
      })
      rows.set(name, { ...rows.get(name), [`${caller}, ${column}`]: answer })
    }
  }
  for (const role of otherRoles) {
    const { access } = routes[name]
    if (!isForStaff(access) || may(role, access) !== (kind === 'admitted')) continue
    // Admitted calls name a missing subject, so that they change no more than needed.
    const id = kind === 'admitted' ? ids?.missing : ids?.seller
    rows.set(name, { ...rows.get(name), [role]: await callOnce(name, call, people[role], id ?? '') })
  }
  const { access } = routes[name]
  if (isForStaff(access) && personalCapabilities.includes(access) === (kind === 'refused')) {
    const id = kind === 'admitted' ? ids?.missing : ids?.seller
    rows.set(name, { ...rows.get(name), token: await callOnce(name, call, program, id ?? '') })
  }
}

function isForStaff(access: Access): access is Capability {
  return access !== 'anyone' && access !== 'seller'
}

async function callOnce(name: RouteName, call: Call, who: Pick<Person, 'send'>, id: string): Promise<string> {
  const answer = await who.send(await requestFor(name, call, id))
  return [401, 403, 500].includes(answer.status) ? `${answer.status} ${answer.json.code}` : 'admitted'
}

function isAdmitted({ access }: Route, caller: Caller, column: Column): boolean {
  if (column === 'missing' || column === 'malformed') return false
  if (access === 'anyone') return true
  if (access !== 'seller') return caller === 'owner'
  return caller.endsWith('seller') && column !== "other's"
}

function idsFor(call: Call, caller: Caller, column: Column, ids: Ids | undefined): readonly string[] {
  if (!call.names || !ids) return ['']
  if (column === 'malformed') return subjects[call.names].malformed
  if (column === 'missing') return [ids.missing]
  const [own, others] = [ids.seller, ids['other seller']]
  return [(column === 'own') === (caller !== 'other seller') ? own : others]
}

/** The answer for all of these ids, or the different answers. */
async function callAs(
  name: RouteName,
  call: Call,
  { caller, ids, alone }: { caller: Caller; ids: readonly string[]; alone: boolean },
) {
  const person = alone ? await newPerson(caller) : people[caller]
  const found = new Set<string>()
  for (const id of ids) {
    const answer = await person.send(await requestFor(name, call, id))
    answers.set(`${name} ${caller} ${id}`, answer)
    found.add(answer.status < 400 ? String(answer.status) : `${answer.status} ${answer.json.code}`)
  }
  return [...found].sort().join(', ')
}

async function newPerson(caller: Caller): Promise<Person> {
  if (caller === 'visitor') return server.visitor()
  if (caller !== 'owner') return server.seller()
  // Not the owner who makes the other calls: one of these changes the password.
  others += 1
  return server.staff(`owner${others}`)
}

/** What each caller must be answered, by the access rule of the contract. */
function expectedRow(name: RouteName): Row {
  const call = callOf(name)
  const route: Route = routes[name]
  const row: Row = {}
  for (const caller of callers) {
    for (const column of call?.names ? columns : (['call'] as const)) {
      row[`${caller}, ${column}`] = call ? expectedCell(name, call, route, caller, column) : 'no call'
    }
  }
  const { access } = route
  if (isForStaff(access)) {
    for (const role of otherRoles) row[role] = may(role, access) ? 'admitted' : '403 not_permitted'
    row.token = personalCapabilities.includes(access) ? '403 person_required' : 'admitted'
  }
  return row
}

function expectedCell(name: RouteName, call: Call, route: Route, caller: Caller, column: Column): string {
  if (isAdmitted(route, caller, column)) return promisedAnswer(name, call)
  const mayCall =
    route.access === 'anyone' || (route.access === 'seller' ? caller.endsWith('seller') : caller === 'owner')
  if (!mayCall) return '401 signed_out'
  if (column === 'malformed') return call.malformed ?? '400 invalid'
  return call.missing ?? '404 not_found'
}

describe('each caller gets the answer the contract promises', () => {
  it.each(names)('%s', (name) => {
    expect(callOf(name), 'add this route to calls.ts').toBeDefined()
    expect(rows.get(name)).toEqual(expectedRow(name))
  })
})

/** The whole answer, without what differs between any two answers. */
function wire(answer: TestAnswer | undefined) {
  const { date, 'x-request-id': _id, ...headers } = answer?.headers ?? {}
  return { status: answer?.status, headers, text: answer?.text }
}

describe("someone else's", () => {
  const guarded = names.filter((name) => callOf(name)?.names && routes[name].access === 'seller')

  it.each(guarded)('subject is answered exactly like a missing one: %s', (name) => {
    const ids = prepared.get(name)
    for (const [caller, others] of [
      ['seller', ids?.['other seller']],
      ['other seller', ids?.seller],
    ]) {
      const missing = answers.get(`${name} ${caller} ${ids?.missing}`)
      expect(missing?.text).not.toBe('')
      expect(wire(answers.get(`${name} ${caller} ${others}`))).toEqual(wire(missing))
    }
  })
})

describe('a submission that clear-all removed', () => {
  const ofSubmissions: readonly Subject[] = ['submission', 'photo', 'question', 'offer', 'rejected']
  const about = names.filter((name) => ofSubmissions.some((subject) => callOf(name)?.names === subject))

  it('is answered like a missing one by every route that takes it', async () => {
    const removed: [RouteName, Call, string][] = []
    for (const name of about) {
      const call = callOf(name)
      if (!call?.names) continue
      removed.push([name, call, await subjects[call.names].make(server, people.seller, people.owner)])
    }
    expect((await people.owner.delete('/api/admin/submissions')).json.deletedCount).toBe(removed.length)
    const found: Row = {}
    for (const [name, call, id] of removed) {
      const caller = routes[name].access === 'seller' ? people.seller : people.owner
      const { status, json } = await caller.send(await requestFor(name, call, id))
      found[name] = `${status} ${json.code}`
    }
    const missing = removed.map(([name, call]) => [name, call.missing ?? '404 not_found'])
    expect(found).toEqual(Object.fromEntries(missing))
  })
})
