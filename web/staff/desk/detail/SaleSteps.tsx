import { ChevronLeft, ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import type { StaffSubmission } from '#contract/staff-submissions.ts'
import { Button } from '#web/kit/Button.tsx'
import { useKeyShortcut } from '../../shell/keys/KeyHint.tsx'
import { useKeys } from '../../shell/keys/use-keys.ts'
import { useView } from '../use-view.ts'

/** Steps through the cards that were submitted together. They need not be in the list, which does not change. */
export function SaleSteps({ sale }: { sale: NonNullable<StaffSubmission['sale']> }) {
  const { change } = useView()
  const stepTo = (id: string | null) => id && change({ id })
  useKeys({
    previousInSale: () => stepTo(sale.previousId),
    nextInSale: () => stepTo(sale.nextId),
  })
  return (
    <p className="-ml-2 flex items-center whitespace-nowrap">
      <Step action="previousInSale" name="Previous card of this sale" id={sale.previousId} onStep={stepTo}>
        <ChevronLeft />
      </Step>
      <span className="figures">
        {sale.position} of {sale.count} in this sale
      </span>
      <Step action="nextInSale" name="Next card of this sale" id={sale.nextId} onStep={stepTo}>
        <ChevronRight />
      </Step>
    </p>
  )
}

interface StepProps {
  action: 'previousInSale' | 'nextInSale'
  name: string
  /** Null at the end of the sale. */
  id: string | null
  onStep: (id: string | null) => void
  children: ReactNode
}

function Step({ action, name, id, onStep, children }: StepProps) {
  return (
    <Button
      variant="quiet"
      size="sm"
      // As high as the line, so that the buttons below are at the same place for every card.
      className="-my-3 px-2 disabled:border-transparent! disabled:bg-transparent! disabled:opacity-40"
      title={name}
      aria-label={name}
      aria-keyshortcuts={useKeyShortcut(action)}
      disabled={id === null}
      onClick={() => onStep(id)}
    >
      {children}
    </Button>
  )
}
