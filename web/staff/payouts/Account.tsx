import type { RevealedPayout, WirePayout } from '#contract/payouts.ts'
import { routes } from '#contract/routes.ts'
import { readBankAccountInfo } from '#domain/payment-methods.ts'
import { copyText } from '#web/kit/copy-text.ts'
import { onOneLine } from '#web/kit/masked.tsx'
import { call } from '#web/wire/call.ts'
import { CopyButton } from '../facts/CopyButton.tsx'
import { Fact, Unbroken } from '../facts/Facts.tsx'
import { accountTypeWords } from '../facts/payout-words.ts'
import { type Reveal, useRevealed } from '../facts/use-reveal.ts'
import { useKeys } from '../shell/keys/use-keys.ts'

/** Long enough to type an account into the app of a bank. */
const WORKSHEET_SECONDS = 180

/** The account of a payout in full, which the server audits. @param worksheet stays visible while it is being paid */
export function useAccount({ id }: WirePayout, { worksheet = false } = {}) {
  return useRevealed(
    () => call(routes.revealPayout, { params: { id } }),
    worksheet ? { seconds: WORKSHEET_SECONDS, besideOthers: true } : {},
  )
}

interface AccountProps {
  payout: WirePayout
  reveal: Reveal<RevealedPayout>
}

/** The account, masked until it is revealed. Keys copy what is revealed. */
export function Account({ payout, reveal }: AccountProps) {
  const lines = linesOf(payout, reveal.values)
  const { accountName } = payout
  useKeys({
    ...(accountName !== null && { copyName: () => void copyText(accountName, 'the name') }),
    copyAmount: () => void copyText(payout.amount, 'the amount'),
    ...(reveal.values && {
      copyAccount: () => void copyText(lines.at(-1)?.value ?? '', 'the account'),
      ...(reveal.values.routingNumber && {
        copyRouting: () => void copyText(reveal.values?.routingNumber ?? '', 'the routing number'),
      }),
    }),
  })
  return (
    <>
      {lines.map(({ name, masked, value }) => (
        <Fact key={name} name={name} code action={value && <CopyButton name={name} value={value} />}>
          {value ? (
            <strong className="font-semibold text-accent">
              <Unbroken text={value} />
            </strong>
          ) : (
            <Unbroken text={onOneLine(masked)} />
          )}
        </Fact>
      ))}
      {payout.accountType && <Fact name="Type">{accountTypeWords[payout.accountType]}</Fact>}
      {payout.changeCode && (
        <Fact name="Bank has" code>
          {correctionOf(payout, reveal.values) ?? `${payout.changeCode}, reveal to see it`}
        </Fact>
      )}
      {accountName !== null && (
        <Fact name="Name" action={<CopyButton name="name" value={accountName} />}>
          {accountName}
        </Fact>
      )}
    </>
  )
}

/** What the bank has on file. A code of a transaction (C05) is the type of account. */
function correctionOf({ changeCode }: WirePayout, revealed: RevealedPayout | undefined) {
  const correction = revealed?.correction
  if (changeCode !== 'C05' || !correction) return correction
  const type = correction.startsWith('3') ? 'savings' : 'checking'
  return `${accountTypeWords[type]} (${correction})`
}

interface Line {
  name: string
  masked: string
  /** If it is revealed. */
  value?: string | undefined
}

/** The account number comes last: it is the one that its key copies. */
function linesOf({ account }: WirePayout, revealed: RevealedPayout | undefined): Line[] {
  const bank = readBankAccountInfo(account)
  if (!bank) return [{ name: 'Account', masked: account, value: revealed?.accountInfo }]
  return [
    { name: 'Routing', masked: bank.routingNumber, value: revealed && (revealed.routingNumber ?? '') },
    {
      name: 'Account',
      masked: bank.accountNumber,
      value: revealed && (revealed.accountNumber ?? revealed.accountInfo),
    },
  ]
}
