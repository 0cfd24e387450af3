import type { Command } from 'commander'
import { resumePayouts, stopPayouts } from '#server/features/payouts/payout-stop.ts'
import { OperatorError } from '#server/platform/config/operator-error.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { ensureInstallation } from './installation.ts'
import type { Run } from './tools.ts'

export function addPayoutCommands(program: Command, run: Run): void {
  const payouts = program.command('payouts').description('stop and resume payouts around a restore')
  payouts
    .command('stop')
    .description(
      'after restoring DATABASE_URL or a disk with other tools: payouts wait, and numbers are left out',
    )
    .action(() =>
      run(async ({ db, say }) => {
        await ensureInstallation(db)
        await transaction(db, (tx) => stopPayouts(tx))
        say(
          'Payouts are stopped. When you have recorded what was already sent: ./unspent admin payouts resume',
        )
      }),
    )
  payouts
    .command('resume')
    .description('let payouts leave again, once you have recorded what was sent since the backup')
    .action(() =>
      run(async ({ db, say }) => {
        if (!(await transaction(db, resumePayouts))) throw new OperatorError('Payouts are not stopped.')
        say('Payouts leave again.')
      }),
    )
}
