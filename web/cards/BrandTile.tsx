import { monogram } from '#domain/brands.ts'
import { cx } from '#web/kit/cx.ts'

const sizes = {
  sm: 'size-9 rounded-sm text-xs',
  md: 'size-11 rounded-md text-sm',
  lg: 'size-14 rounded-md text-lg',
} as const

/** Two letters on a quiet tile instead of a brand's logo. Hidden from screen readers: the name is beside it. */
export function BrandTile({ name, size = 'md' }: { name: string; size?: keyof typeof sizes }) {
  return (
    <span
      aria-hidden="true"
      // The content security policy of prerendered documents forbids inline styles.
      data-hue={hueOf(name)}
      className={cx('grid shrink-0 select-none place-items-center font-semibold tracking-wide', sizes[size])}
    >
      {monogram(name)}
    </span>
  )
}

/** The number of hues in web/kit/hues.css. */
export const HUES = 10

/** Chosen so that brands with the same letters get clearly different hues. A test checks this. */
const FACTOR = 44

/** @returns the index of the brand's hue, from 0 to 9; always the same for the same name */
export function hueOf(brandName: string): number {
  let sum = 0
  for (const character of brandName) sum = (sum * FACTOR + (character.codePointAt(0) ?? 0)) % 9973
  return sum % HUES
}
