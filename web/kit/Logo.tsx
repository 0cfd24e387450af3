import type { DrawingName, ShopDrawings } from '#domain/shop-brand.ts'
import { shopBrand } from '#web/words/shop-brand.ts'

export function LogoMark({ className }: { className?: string }) {
  return (
    <svg viewBox={shopBrand.logo.viewBox} aria-hidden="true" className={className}>
      {/* Every document brings the drawing (web/app/build/brand.ts). */}
      <use href="#logo" />
    </svg>
  )
}

export function Logo() {
  return (
    <span className="flex items-center gap-2 sm:gap-2.5">
      <LogoMark className="h-5 w-auto text-accent" />
      <span className="font-bold tracking-tight sm:text-lg">{shopBrand.name}</span>
    </span>
  )
}

/**
 * The brand's own drawing, to show instead of ours. Its colors are tokens, so it follows the theme. Call it as
 * `__SHOP_DRAWINGS__ && ownDrawing(…)`: the build leaves that out for a brand without drawings.
 */
export function ownDrawing({ address, viewBoxes }: ShopDrawings, name: DrawingName, className: string) {
  const viewBox = viewBoxes[name]
  return (
    viewBox && (
      <svg viewBox={viewBox} aria-hidden="true" className={className}>
        <use href={`${address}#${name}`} />
      </svg>
    )
  )
}
