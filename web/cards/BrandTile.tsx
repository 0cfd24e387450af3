import { monogram } from '#domain/monogram.ts'
import { cx } from '#web/kit/cx.ts'

const sizes = {
  sm: 'h-7 w-9 rounded-[5px] text-xs',
  md: 'h-9 w-11 rounded-sm text-sm',
} as const

/** Two letters on a small card instead of a brand's logo. Hidden from screen readers: the name is beside it. */
export function BrandTile({ name, size = 'md' }: { name: string; size?: keyof typeof sizes }) {
  return (
    <span
      aria-hidden="true"
      // The content security policy of prerendered documents forbids inline styles.
      data-hue={hueOf(name)}
      className={cx('grid shrink-0 select-none place-items-center font-bold', sizes[size])}
    >
      {monogram(name)}
    </span>
  )
}

/** The number of hues in web/kit/hues.css. */
export const HUES = 10

/** Spreads the brands over all hues. A test checks this. */
const FACTOR = 44

/** @returns the index of the brand's hue, from 0 to 9; always the same for the same name */
export function hueOf(brandName: string): number {
  let sum = 0
  for (const character of brandName) sum = (sum * FACTOR + (character.codePointAt(0) ?? 0)) % 9973
  return sum % HUES
}
