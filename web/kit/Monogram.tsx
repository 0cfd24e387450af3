import { cx } from './cx.ts'

const sizes = {
  sm: 'size-9 rounded-sm text-xs',
  md: 'size-11 rounded-md text-sm',
  lg: 'size-14 rounded-md text-lg',
} as const

interface MonogramProps {
  letters: string
  /** One of the ten of tokens.css; an attribute and not a style, so that it can be prerendered. */
  hue: number
  size?: keyof typeof sizes
}

/** Two letters on a quiet tile, in place of a logo. Decoration: the name stands beside it. */
export function Monogram({ letters, hue, size = 'md' }: MonogramProps) {
  return (
    <span
      aria-hidden="true"
      data-hue={hue}
      className={cx('grid shrink-0 select-none place-items-center font-semibold tracking-wide', sizes[size])}
    >
      {letters}
    </span>
  )
}
