import { Ledger, LedgerRow, Panel } from '#web/kit/Panel.tsx'
import { helpCopy } from '#web/words/help.ts'
import { support } from '#web/words/support.ts'
import { SupportButtons } from './SupportButtons.tsx'

/** The ways to a person, and how long each takes. */
export function AskPerson() {
  const { title, text, times } = helpCopy.contact
  return (
    <Panel aria-labelledby="ask" className="grid gap-4">
      <h2 id="ask" className="text-2xl">
        {title}
      </h2>
      <Ledger>
        {times.map(({ name, value }) => (
          <LedgerRow key={name} name={name}>
            {value}
          </LedgerRow>
        ))}
      </Ledger>
      <SupportButtons />
      <div className="grid gap-2 text-soft text-sm">
        {support.emailAddress && <p>{support.emailAddress}</p>}
        <p>{text}</p>
      </div>
    </Panel>
  )
}
