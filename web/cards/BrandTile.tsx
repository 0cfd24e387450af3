import { monogram } from '#domain/brands.ts'
import { Monogram } from '#web/kit/Monogram.tsx'
import { hueOf } from './hue.ts'

/** Stands in for a brand's logo: two letters on a quiet tile. */
export function BrandTile({ name, size = 'md' }: { name: string; size?: 'sm' | 'md' | 'lg' }) {
  return <Monogram letters={monogram(name)} hue={hueOf(name)} size={size} />
}
