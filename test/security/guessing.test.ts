import pg from 'pg'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { buildApp } from '#server/app.ts'
import { createLimits, limitTable } from '#server/http/limits/limits.ts'
import { Sockets } from '#server/platform/live/sockets.ts'
import { createTestApp, type TestApp } from '../app.ts'
import { ADMIN_PASSWORD, SELLER_PASSWORD } from '../people.ts'
import { Person, type TestAnswer } from '../person.ts'
import { PATIENCE, report, times } from './size.ts'

// Uses the real library and counts its calls.
const argon2 = vi.hoisted(() => ({ calls: 0 }))
vi.mock('@node-rs/argon2', async (original) => {
  const real = await original<typeof import('@node-rs/argon2')>()
  const counted = <A extends unknown[], R>(work: (...args: A) => R) => {
    return (...args: A): R => {
      argon2.calls += 1
      return work(...args)
    }
  }
  return { ...real, verify: counted(real.verify), hash: counted(real.hash) }
})

let server: TestApp
/** A second server on the same database, which shares nothing else with the first. */
let sibling: TestApp['app']
beforeAll(async () => {
  server = await createTestApp({ limits: true })
  sibling = await buildApp({
    context: server.context,
    limits: createLimits(server.pool),
    sockets: new Sockets(),
    trustProxy: false,
  })
  return () => sibling.close()
})
beforeEach(async () => {
  await server.pool.query('delete from rate_limits')
})

interface Try {
  readonly person?: Person
  readonly email: string
  readonly password?: string
  readonly address: string
}

/** Alternates between the two servers. */
let turn = 0
const stranger = () => new Person(turn++ % 2 === 0 ? server.app : sibling)
const signIn = ({ person = stranger(), email, password = 'a guess', address }: Try): Promise<TestAnswer> =>
  person.send({
    method: 'POST',
    url: '/api/auth/login',
    payload: { email, password },
    remoteAddress: address,
  })
const address = (number: number) => `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`
const counted = (answers: readonly TestAnswer[], status: number) =>
  answers.filter((answer) => answer.status === status).length

describe('guessing the password of one account', () => {
  it('checks only a handful of passwords, even from many addresses and through two servers', {
    timeout: PATIENCE,
  }, async () => {
    const owner = await server.seller('target')
    await owner.post('/api/auth/logout')
    const guesses = times({ small: 200, long: 10_000 })
    const before = argon2.calls
    const answers: TestAnswer[] = []
    for (let from = 0; from < guesses; from += 100) {
      const some = Array.from({ length: Math.min(100, guesses - from) }, (_, index) =>
        signIn({
          email: 'target@example.com',
          password: `guess ${from + index}`,
          address: address(from + index),
        }),
      )
      answers.push(...(await Promise.all(some)))
    }
    const checks = argon2.calls - before
    expect(checks).toBe(limitTable.passwordGuess.points)
    // Any hour can overlap two windows.
    expect(2 * checks).toBeLessThanOrEqual(20)
    expect(counted(answers, 401)).toBe(checks)
    expect(counted(answers, 429)).toBe(guesses - checks)

    // Now even the right password is refused, except in the owner's known browser.
    const right = { email: 'target@example.com', password: SELLER_PASSWORD }
    expect((await signIn({ ...right, address: '10.255.0.1' })).status).toBe(429)
    expect((await signIn({ ...right, person: owner, address: '10.255.0.2' })).status).toBe(200)
    expect((await owner.get('/api/auth/me')).status).toBe(200)
    report(`${guesses} guesses at one account from as many addresses, ${checks} checked; its owner got in`)
  })
})

describe('trying many accounts from one address', () => {
  it('is limited across servers', async () => {
    const { points } = limitTable.signIn
    const tries = Array.from({ length: points + 10 }, (_, index) =>
      signIn({ email: `person${index}@example.com`, address: '10.9.9.9' }),
    )
    const answers = await Promise.all(tries)
    expect([counted(answers, 401), counted(answers, 429)]).toEqual([points, 10])
  })
})

describe('an unknown name', () => {
  /** What a request costs, in password hashes and database statements. */
  async function cost(request: () => Promise<TestAnswer>) {
    const query = vi.spyOn(pg.Client.prototype, 'query')
    const before = argon2.calls
    const answer = await request()
    const spent = { hashes: argon2.calls - before, statements: query.mock.calls.length }
    query.mockRestore()
    return { ...spent, status: answer.status, text: answer.text }
  }

  it('costs the same as a wrong password, from the first try on', async () => {
    await server.seller('known')
    const unknown = await cost(() => signIn({ email: 'unknown@example.com', address: '10.1.0.1' }))
    const wrong = await cost(() => signIn({ email: 'known@example.com', address: '10.1.0.2' }))
    expect(wrong).toMatchObject({ status: 401, hashes: 1 })
    expect(unknown).toEqual(wrong)
  })

  it('costs the same in a known browser of someone else', async () => {
    const owner = await server.seller('owner')
    const cookie = `unspent_browser=${owner.cookies.get('unspent_browser')}`
    const inBrowser = (email: string) => {
      const person = new Person(server.app)
      person.cookies.set('unspent_browser', cookie.split('=')[1] ?? '')
      return cost(() => signIn({ person, email, address: '10.1.0.3' }))
    }
    expect(await inBrowser('unknown2@example.com')).toEqual(await inBrowser('known@example.com'))
  })

  it('of an administrator costs the same as a wrong password', async () => {
    const login = (username: string) =>
      cost(() => server.visitor().post('/api/admin/login', { username, password: 'a guess' }))
    const [unknown, wrong] = [await login('nobody'), await login('admin')]
    expect(wrong).toMatchObject({ status: 401, hashes: 1 })
    expect(unknown).toEqual(wrong)
    const right = { username: 'admin', password: ADMIN_PASSWORD }
    expect((await server.visitor().post('/api/admin/login', right)).status).toBe(200)
  })

  it('costs and answers the same as a known one for a forgotten password', async () => {
    const ask = (email: string) => cost(() => server.visitor().post('/api/auth/forgot-password', { email }))
    expect(await ask('unknown@example.com')).toEqual(await ask('known@example.com'))
  })
})
