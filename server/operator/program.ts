import { Command } from 'commander'
import { openStorage, storeName } from '#server/platform/photos/open-storage.ts'
import manifest from '../../package.json' with { type: 'json' }
import { addAdministratorCommands } from './administrators.ts'
import { addAuditCommands } from './audit.ts'
import { addBackupCommands } from './backup/command.ts'
import { bindStore } from './installation.ts'
import { addJobCommands } from './jobs.ts'
import { addKeyCommands } from './keys.ts'
import { addLedgerCommands } from './ledger.ts'
import { addPayoutCommands } from './payouts.ts'
import { addPersonCommands } from './persons.ts'
import { addReleaseCommand } from './release.ts'
import { type Output, outputOf, type Run } from './tools.ts'

/** The commands of `./unspent admin`. They work whether or not a server is running. */
export function buildProgram(
  run: Run,
  program = new Command(),
  output: Output = outputOf(() => false),
): Command {
  program
    .name('./unspent admin')
    .helpCommand('help [command]', 'show the help of a command')
    .option('--json', 'print JSON, for scripts')
    .version(manifest.version, '--version', 'print the version')
    .addHelpText('after', '\nExit codes: 0 done, 1 a check found something wrong, 2 refused or not possible.')
  addAdministratorCommands(program, run)
  addAuditCommands(program, run)
  addLedgerCommands(program, run)
  addJobCommands(program, run)
  addBackupCommands(program, output)
  program
    .command('take-over-store')
    .description('use a photo store that lost its mark, or whose installation is gone')
    .action(() =>
      run(async ({ db, storage, say }) => {
        const store = storeName(storage)
        await bindStore(db, { photos: await openStorage(storage), store, takeOver: true })
        say(`The photo store ${store} belongs to this installation now.`)
      }),
    )
  addPayoutCommands(program, run)
  addReleaseCommand(program, run)
  addPersonCommands(program, run)
  addKeyCommands(program, run)
  return program
}
