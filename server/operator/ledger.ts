import type { Command } from 'commander'
import { toDollars } from '#domain/money.ts'
import { type Balance, verifyLedger } from '#server/features/books/verify.ts'
import type { Run, Tools } from './tools.ts'

export function addLedgerCommands(program: Command, run: Run): void {
  const ledger = program.command('ledger').description('check the ledger')
  ledger
    .command('verify')
    .description('check whether the ledger, the payouts and the inventory agree')
    .action(() => run(verify))
}

/** Returns false if something does not agree. */
async function verify({ db, show }: Tools): Promise<boolean> {
  const { balances, problems } = await verifyLedger(db)
  const rows = toRows(balances)
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const table = rows.map(([account = '', ...figures]) =>
    [account.padEnd(widths[0] ?? 0), ...figures.map((text, i) => text.padStart(widths[i + 1] ?? 0))].join(
      '  ',
    ),
  )
  const agrees = problems.length === 0
  const verdict = agrees
    ? ['The ledger, the payouts and the inventory agree.']
    : [
        'The ledger, the payouts and the inventory do not agree:',
        ...problems.map((problem) => `- ${problem}`),
      ]
  show({ agrees, problems, balances }, [...table, ...verdict])
  return agrees
}

/** A row per account. Sellers whose figures agree share one row, because there may be thousands. */
function toRows(balances: readonly Balance[]): string[][] {
  const isShared = ({ account, ledger, expected }: Balance) =>
    account.startsWith('receivable:') && ledger === expected
  const shared = balances.filter(isShared)
  const sum = (side: 'ledger' | 'expected') => shared.reduce((total, balance) => total + balance[side], 0)
  const sellers = { account: 'receivable of sellers', ledger: sum('ledger'), expected: sum('expected') }
  const own = balances.filter((balance) => !isShared(balance))
  return [
    ['account', 'in the ledger', 'expected'],
    ...[...own, ...(shared.length > 0 ? [sellers] : [])].map(({ account, ledger, expected }) => [
      account,
      toDollars(ledger),
      toDollars(expected),
    ]),
  ]
}
