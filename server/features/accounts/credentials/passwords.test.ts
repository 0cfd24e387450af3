import { readdirSync, readFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import { expect, it } from 'vitest'
import { Passwords } from './passwords.ts'

const threadsOf = (name: string) =>
  readdirSync('/proc/self/task')
    .filter((thread) => readFileSync(`/proc/self/task/${thread}/comm`, 'utf8').trim() === name)
    .map(Number)

it('hashes with the parameters that OWASP names first', async () => {
  expect(await new Passwords().hash('a password')).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
})

it.runIf(process.platform === 'linux')('gives hashing a lower priority than requests', async () => {
  await new Passwords().matches(undefined, 'a guess')
  const hashing = threadsOf('libuv-worker').map((thread) => getPriority(thread))
  expect(hashing.length).toBeGreaterThan(0)
  expect(Math.min(...hashing)).toBeGreaterThan(getPriority())
})
