import { Argument, type Command, Option } from 'commander'
import { type Role, roles } from '#domain/roles.ts'
import * as administrators from '#server/features/accounts/staff/administrators.ts'
import { SIGN_IN_LINK_MINUTES } from '#server/features/accounts/staff/sign-in-link.ts'
import type { Run, Tools } from './tools.ts'

export function addAdministratorCommands(program: Command, run: Run): void {
  program
    .command('list')
    .description('list administrators')
    .action(() => run(list))

  const add = (
    name: string,
    description: string,
    action: (tools: Tools, username: string) => Promise<void>,
  ) =>
    program
      .command(name)
      .description(description)
      .argument('USERNAME')
      .action((username: string) => run((tools) => action(tools, username)))

  program
    .command('create')
    .description('create an administrator; shows the password once')
    .argument('USERNAME')
    .addOption(new Option('--role <ROLE>').choices(roles).default('owner'))
    .action((username: string, { role }: { role: Role }) =>
      run(async (tools) => {
        const password = await administrators.createAdministrator(tools, username, { role })
        tools.say(`The administrator ${username} was created with the role ${role}.`)
        tools.say(`Password (shown only once): ${password}`)
      }),
    )
  program
    .command('set-role')
    .description('change the role of an administrator and end every session')
    .argument('USERNAME')
    .addArgument(new Argument('ROLE', 'the new role').choices(roles))
    .action((username: string, role: Role) =>
      run(async (tools) => {
        await administrators.setRole(tools, username, role)
        tools.say(`The administrator ${username} has the role ${role} and is signed out everywhere.`)
      }),
    )
  add('disable', 'block sign-in and end every session', async (tools, username) => {
    await administrators.disableAdministrator(tools, username)
    tools.say(`The administrator ${username} is disabled and signed out everywhere.`)
  })
  add('enable', 'allow sign-in again', async (tools, username) => {
    await administrators.enableAdministrator(tools, username)
    tools.say(`The administrator ${username} can sign in again.`)
  })
  add('reset-password', 'set a new password, shown once, and end every session', async (tools, username) => {
    const password = await administrators.resetPassword(tools, username)
    tools.say(`The administrator ${username} has a new password and is signed out everywhere.`)
    tools.say(`Password (shown only once): ${password}`)
  })
  add(
    'sign-in-link',
    'print a link that signs in once, even if the account is locked',
    async (tools, username) => {
      const token = await administrators.makeSignInLink(tools, username)
      tools.say(
        `This link signs ${username} in once, within ${SIGN_IN_LINK_MINUTES} minutes. Keep it private:`,
      )
      tools.say(`${tools.url}/admin/login?link=${token}`)
    },
  )
  add('reset-identity', 'let another account of the sign-in provider be bound', async (tools, username) => {
    await administrators.resetIdentity(tools, username)
    tools.say(`The next sign-in through the provider with the address of ${username} binds that account.`)
  })
  add('reset-totp', 'turn off the second factor', async (tools, username) => {
    await administrators.resetSecondFactor(tools, username)
    tools.say(`${username} no longer needs a code to sign in.`)
  })
}

async function list(tools: Tools): Promise<void> {
  const all = await administrators.listAdministrators(tools)
  if (all.length === 0)
    tools.say('There are no administrators yet. The server creates the first one when it starts.')
  tools.show(
    all.map(({ username, role, createdAt, disabledAt, secondFactor }) => ({
      username,
      role,
      createdAt,
      disabledAt,
      secondFactor,
    })),
    all.map(({ username, role, createdAt, disabledAt, secondFactor }) => {
      const notes = [
        role,
        `since ${createdAt.toISOString().slice(0, 10)}`,
        secondFactor ? 'with a second factor' : 'password only',
        ...(disabledAt ? [`disabled ${disabledAt.toISOString().slice(0, 10)}`] : []),
      ]
      return `${username}: ${notes.join(', ')}`
    }),
  )
}
