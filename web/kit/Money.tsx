import { inDollars } from '#domain/money.ts'
import { cx } from './cx.ts'

interface MoneyProps {
  /** Dollars as the wire has them: "93.00". */
  amount: string
  /** `figure` for the amount somebody gets, the largest thing on its screen. */
  size?: 'inherit' | 'lg' | 'xl' | 'figure'
  className?: string
}

const sizes = {
  inherit: '',
  lg: 'text-xl font-semibold tracking-tight',
  xl: 'text-2xl font-semibold tracking-tight',
  figure: 'text-figure font-semibold tracking-[-0.035em]',
} as const

/** An amount with its cents in tabular figures, so that columns line up. */
export function Money({ amount, size = 'inherit', className }: MoneyProps) {
  return <span className={cx('figures whitespace-nowrap', sizes[size], className)}>{inDollars(amount)}</span>
}
