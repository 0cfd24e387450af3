import { randomUUID } from 'node:crypto'
import { beforeEach, expect, it } from 'vitest'
import { jobs, users } from '#server/platform/database/schema.ts'
import { createTestApp, type TestApp } from '#test/app.ts'
import { accountMails } from '#test/mails.ts'
import { runCommand } from '#test/operator.ts'

let server: TestApp
beforeEach(async () => {
  server = await createTestApp()
})

const run = (...words: string[]) => runCommand({ db: server.db }, 'jobs', ...words)

/** A given-up mail. */
async function givenUp(email: string): Promise<string> {
  const id = randomUUID()
  const [username = ''] = email.split('@')
  const person = { passwordHash: '-', firstName: 'S', lastName: 'S' }
  await server.db.insert(users).values({ id: randomUUID(), username, email, ...person })
  await server.db.insert(jobs).values({
    id,
    kind: 'passwordResetMail',
    key: id,
    payload: { email, because: 'asked' },
    attempts: 36,
    failedAt: new Date(),
    lastError: `Error: 550 <${email}> unknown\r\n\u001b[2Jcard 6006 4930 1234 5678`,
  })
  return id
}

it('lists mails that were given up, without addresses or terminal control characters', async () => {
  expect(await run('list')).toBe('No mail was given up.')
  const id = await givenUp('sally@example.com')
  const listed = await run('list')
  expect(listed).toMatch(
    new RegExp(`^${id}  \\S+Z  passwordResetMail  to s•••@example.com  36 tries  Error: `),
  )
  expect(listed).not.toMatch(/sally|6006|\p{Cc}/u)
})

it('tries one of them again, or all', async () => {
  const emails = ['sally@example.com', 'tom@example.com', 'uma@example.com']
  const [first = ''] = [await givenUp('sally@example.com'), await givenUp('tom@example.com')]
  await givenUp('uma@example.com')
  expect(await accountMails(server)).toEqual([])
  expect(await run('retry', first)).toBe('1 mail will be sent again.')
  expect(await accountMails(server)).toMatchObject([{ to: emails[0], id: first }])
  await expect(run('retry', first)).rejects.toThrow(`No job ${first} was given up`)
  expect(await run('retry', 'all')).toBe('2 mails will be sent again.')
  expect((await accountMails(server)).map(({ to }) => to).toSorted()).toEqual(emails.slice(1))
  expect(await run('list')).toBe('No mail was given up.')
  expect(await run('retry', 'all')).toBe('0 mails will be sent again.')
})

it.each([[], ['list', 'more'], ['retry'], ['retry', 'x'], ['retry', 'all', 'y']])(
  'refuses %s %s',
  async (...words) => {
    await expect(run(...words)).rejects.toMatchObject({ name: 'CommanderError' })
  },
)
