import type { Context } from '#server/context.ts'
import { SIGN_IN_LINK_MINUTES } from '#server/features/people/sessions/sign-in-link.ts'
import * as administrators from '#server/features/people/staff/actions.ts'
import { UsageError } from '#server/platform/config/operator-error.ts'

interface Tools extends Pick<Context, 'db' | 'passwords'> {
  /** The address of the site, for links. */
  readonly url: string
}
type Say = (line: string) => void

/** What the operator does about administrators: `npm run admin -- …`. */
export const administratorsUsage = [
  'npm run admin -- list                     administrators, and who of them is disabled',
  'npm run admin -- create USERNAME          a new administrator, with a password shown once',
  'npm run admin -- disable USERNAME         keep out at once, and end every session',
  'npm run admin -- enable USERNAME          let in again',
  'npm run admin -- reset-password USERNAME  a new password, shown once; ends every session',
  'npm run admin -- sign-in-link USERNAME    a link that signs in once, also while wrong guesses lock the account',
  'npm run admin -- reset-totp USERNAME      switch the second factor off',
]

/** @throws {UsageError} for what is no command, {AdministratorError} for what cannot be done */
export async function runAdministratorsCommand(
  tools: Tools,
  [word = '', ...rest]: readonly string[],
  say: Say,
): Promise<void> {
  const [argument] = rest
  if (word === 'list' && rest.length === 0) return list(tools, say)
  if (word === 'list') throw new UsageError('list takes nothing more')
  const command = Object.hasOwn(ofOne, word) ? ofOne[word] : undefined
  if (!command) throw new UsageError(`There is no command ${JSON.stringify(word)}`)
  if (argument === undefined || rest.length !== 1) {
    throw new UsageError(`${word} takes one USERNAME, as in: npm run admin -- ${word} ana`)
  }
  await command(tools, argument, say)
}

/** The commands that are about one administrator. */
const ofOne: Readonly<Record<string, (tools: Tools, username: string, say: Say) => Promise<void>>> = {
  async create(tools, username, say) {
    const password = await administrators.createAdministrator(tools, username)
    say(`The administrator ${username} was created.`)
    say(`Password (shown this once): ${password}`)
  },
  async disable(tools, username, say) {
    await administrators.disableAdministrator(tools, username)
    say(`The administrator ${username} is disabled and signed out everywhere.`)
  },
  async enable(tools, username, say) {
    await administrators.enableAdministrator(tools, username)
    say(`The administrator ${username} may sign in again.`)
  },
  async 'reset-password'(tools, username, say) {
    const password = await administrators.resetPassword(tools, username)
    say(`The administrator ${username} has a new password and is signed out everywhere.`)
    say(`Password (shown this once): ${password}`)
  },
  async 'sign-in-link'(tools, username, say) {
    const token = await administrators.makeSignInLink(tools, username)
    say(`Signs ${username} in once, within ${SIGN_IN_LINK_MINUTES} minutes. Give it to nobody else:`)
    say(`${tools.url}/admin/login?link=${token}`)
  },
  async 'reset-totp'(tools, username, say) {
    await administrators.resetSecondFactor(tools, username)
    say(`The administrator ${username} is no longer asked for a code.`)
  },
}

async function list(tools: Tools, say: Say): Promise<void> {
  const all = await administrators.listAdministrators(tools)
  if (all.length === 0) say('There is no administrator yet: the server makes the first one when it starts.')
  for (const { username, createdAt, disabledAt, secondFactor } of all) {
    const notes = [
      `since ${createdAt.toISOString().slice(0, 10)}`,
      secondFactor ? 'with a second factor' : 'password only',
      ...(disabledAt ? [`disabled ${disabledAt.toISOString().slice(0, 10)}`] : []),
    ]
    say(`${username}: ${notes.join(', ')}`)
  }
}
