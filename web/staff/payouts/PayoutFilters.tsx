import { paymentTypes } from '#domain/payment-methods.ts'
import { payoutStates } from '#domain/payout.ts'
import { useWords } from '#web/words/words.ts'
import { payoutWords } from '../facts/payout-words.ts'
import { FilterSelect } from '../list/FilterSelect.tsx'
import { SearchField } from '../list/SearchField.tsx'
import { usePayoutView } from './use-payout-view.ts'

/** The search and the filters of a list of payouts. */
export function PayoutFilters({ withState = false }: { withState?: boolean }) {
  const { shown, change } = usePayoutView()
  const t = useWords()
  return (
    <>
      <SearchField
        label="Search payouts"
        placeholder="Seller, account or batch"
        value={shown.q}
        onChange={(q) => change({ q })}
      />
      <FilterSelect
        name="Method"
        all="Any method"
        choices={paymentTypes.map((value) => ({ value, label: t(`payments.type.${value}`) }))}
        value={shown.paymentType}
        onChange={(paymentType) => change({ paymentType })}
      />
      {withState && (
        <FilterSelect
          name="State"
          all="Any state"
          choices={payoutStates.map((value) => ({ value, label: payoutWords[value].name }))}
          value={shown.state}
          onChange={(state) => change({ state })}
        />
      )}
    </>
  )
}
