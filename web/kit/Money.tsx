import { inDollars } from '#domain/money.ts'
import { cx } from './cx.ts'

interface MoneyProps {
  /** Dollars as sent by the server: "93.00". */
  amount: string
  /** `figure` is for the amount the seller gets, the largest text on the screen. */
  size?: 'inherit' | 'lg' | 'xl' | 'figure'
  className?: string
}

const sizes = {
  inherit: '',
  lg: 'text-xl font-semibold tracking-tight',
  xl: 'text-2xl font-semibold tracking-tight',
  figure: 'text-figure font-bold tracking-[-0.03em]',
} as const

/** An amount with cents in tabular figures, so that columns line up. */
export function Money({ amount, size = 'inherit', className }: MoneyProps) {
  return <span className={cx('figures whitespace-nowrap', sizes[size], className)}>{inDollars(amount)}</span>
}
