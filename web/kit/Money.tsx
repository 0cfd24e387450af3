import { inDollars } from '#domain/money.ts'
import { cx } from './cx.ts'

interface MoneyProps {
  /** Dollars as sent by the server: "93.00". */
  amount: string
  /** `figure` is for the amount the seller gets, the largest text on the screen. */
  size?: 'inherit' | 'lg' | 'xl' | 'figure'
  /** On a gold block, for an amount that the seller gets. */
  gold?: boolean
  className?: string
}

const sizes = {
  inherit: '',
  lg: 'text-xl font-semibold tracking-tight',
  xl: 'text-2xl font-semibold tracking-tight',
  figure: 'text-figure font-bold tracking-[-0.03em]',
} as const

/** An amount with cents in tabular figures, so that columns line up. */
export function Money({ amount, size = 'inherit', gold, className }: MoneyProps) {
  const block = gold && 'rounded-sm bg-gold px-2 py-1 text-on-gold'
  return (
    <span className={cx('figures whitespace-nowrap', sizes[size], block, className)}>
      {inDollars(amount)}
    </span>
  )
}
