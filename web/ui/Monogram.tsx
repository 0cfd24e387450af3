import { cx } from './cx.ts'

const HUES = 10

/** The same text always gets the same hue; the attribute and not a style, so that it can be prerendered. */
function hueOf(text: string): number {
  let sum = 0
  for (const character of text) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 9973
  return sum % HUES
}

const sizes = {
  sm: 'size-9 rounded-sm text-xs',
  md: 'size-11 rounded-md text-sm',
  lg: 'size-14 rounded-md text-lg',
} as const

/** Two letters on a quiet tile, in place of a logo. Decoration: the name stands beside it. */
export function Monogram({ letters, size = 'md' }: { letters: string; size?: keyof typeof sizes }) {
  return (
    <span
      aria-hidden="true"
      data-hue={hueOf(letters)}
      className={cx('grid shrink-0 select-none place-items-center font-semibold tracking-wide', sizes[size])}
    >
      {letters}
    </span>
  )
}
