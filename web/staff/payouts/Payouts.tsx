import { useState } from 'react'
import { ErrorBoundary } from '#web/kit/ErrorBoundary.tsx'
import { PageTitle } from '#web/kit/PageTitle.tsx'
import { KeysDialog } from '../shell/keys/KeysDialog.tsx'
import { useKeys } from '../shell/keys/use-keys.ts'
import { StaffHeader } from '../shell/StaffHeader.tsx'
import { AllPayouts } from './AllPayouts.tsx'
import { Batches } from './Batches.tsx'
import { BatchPage } from './BatchPage.tsx'
import { CashWarning } from './CashWarning.tsx'
import { Due } from './Due.tsx'
import { PayoutStop } from './PayoutStop.tsx'
import { PayoutViews } from './PayoutViews.tsx'
import { Returns } from './Returns.tsx'
import { usePayoutView } from './use-payout-view.ts'
import { Worksheet } from './Worksheet.tsx'

const contents = { due: Due, batches: Batches, returns: Returns, all: AllPayouts } as const

/** What we owe sellers, the batches in which it leaves, and what came back. */
export default function Payouts() {
  const { shown, view } = usePayoutView()
  const [keysShown, showKeys] = useState(false)
  useKeys({ help: () => showKeys(true) })
  const Content = contents[view]
  return (
    <div className="flex h-dvh flex-col">
      <PageTitle>Payouts</PageTitle>
      <StaffHeader title="Payouts">
        <PayoutViews onKeys={() => showKeys(true)} />
      </StaffHeader>
      <main id="content" tabIndex={-1} className="flex min-h-0 flex-1 flex-col outline-none">
        <PayoutStop />
        <CashWarning />
        <ErrorBoundary heading="h2">
          {shown.batch === undefined ? (
            <Content key={view} />
          ) : shown.worksheet ? (
            <Worksheet key={shown.batch} batchId={shown.batch} />
          ) : (
            <BatchPage key={shown.batch} id={shown.batch} />
          )}
        </ErrorBoundary>
      </main>
      <KeysDialog of="Payouts" open={keysShown} onOpenChange={showKeys} />
    </div>
  )
}
