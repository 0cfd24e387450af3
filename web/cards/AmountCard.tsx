import { type ReactNode, useSyncExternalStore } from 'react'
import { cx } from '#web/kit/cx.ts'
import { Money } from '#web/kit/Money.tsx'

interface AmountCardProps {
  /** Decimal dollars that the seller gets. Undefined if they cannot be named yet. */
  amount: string | undefined
  label: ReactNode
  /** The width of the gold block, in percent of the card. Without it the card is empty. */
  share?: number | undefined
  /** Whether it is not decided yet. The block is gray. */
  isOpen?: boolean
  /** Explains the amount, directly under it. */
  note?: ReactNode
  /** Shown at the top: what card it is. */
  children?: ReactNode
}

/** The amount the seller gets, on a card like the logo's. The gold block is its share of the card's value. */
export function AmountCard({ amount, label, share, isOpen = false, note, children }: AmountCardProps) {
  const filled = share !== undefined && !isOpen
  const isHydrated = useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  )
  return (
    <div
      className={cx(
        '@container grid min-h-41 content-between gap-1 overflow-hidden rounded-lg border-2 bg-surface',
        filled ? 'border-ink' : 'border-control',
      )}
    >
      <div className="px-4 py-3">{children}</div>
      <output
        className={cx(
          'grid min-w-min gap-0.5 px-4 py-3 transition-[width] duration-300 ease-out',
          // 93 % is the only share in a prerendered document, the landing page's example.
          filled ? 'w-93/100 bg-gold text-on-gold' : 'w-63/100 bg-sunken text-soft',
        )}
        // The content security policy of prerendered documents forbids inline styles.
        style={share !== undefined && isHydrated ? { width: `${share}%` } : undefined}
      >
        <span className="font-medium text-sm">{label}</span>
        {amount === undefined ? (
          <span className="font-bold text-figure">–</span>
        ) : (
          <Money key={amount} amount={amount} size="figure" className="animate-appear" />
        )}
        {note && <span className="grid text-sm">{note}</span>}
      </output>
    </div>
  )
}

const neverChanges = () => () => {}
