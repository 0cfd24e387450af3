import { FileUp, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { routes } from '#contract/routes.ts'
import { may } from '#domain/roles.ts'
import { EmptyState } from '#web/kit/EmptyState.tsx'
import { usePagedList } from '../list/use-paged-list.ts'
import { KeyButton } from '../shell/keys/KeyHint.tsx'
import { useKeys } from '../shell/keys/use-keys.ts'
import { PAGE_SIZE } from '../shell/payout-queries.ts'
import { useStaff } from '../shell/use-staff.ts'
import { ImportDialog } from './ImportDialog.tsx'
import { PayoutFilters } from './PayoutFilters.tsx'
import { PayoutList } from './PayoutList.tsx'
import { openReturns, usePayoutView } from './use-payout-view.ts'

/** Payouts whose money came back and was not sent again, and the import of what a bank or service reports. */
export function Returns() {
  const { shown } = usePayoutView()
  const { q, paymentType } = shown
  const list = usePagedList(routes.payouts, { ...openReturns, limit: PAGE_SIZE, q, paymentType })
  const mayPay = may(useStaff().admin.role, 'pay')
  const [importing, setImporting] = useState(false)
  useKeys(mayPay ? { importResults: () => setImporting(true) } : {})
  return (
    <>
      <PayoutList
        list={list}
        usual="returned"
        noun="return"
        filters={<PayoutFilters />}
        actions={
          mayPay && (
            <KeyButton action="importResults" size="sm" onClick={() => setImporting(true)} icon={<FileUp />}>
              Import file
            </KeyButton>
          )
        }
        empty={
          <EmptyState icon={<Undo2 />} title="No open returns">
            {q || paymentType
              ? 'Change the search or the method.'
              : 'Returned payouts appear here, with the reason, until the seller enters another account.'}
          </EmptyState>
        }
      />
      <ImportDialog open={importing} onClose={() => setImporting(false)} />
    </>
  )
}
