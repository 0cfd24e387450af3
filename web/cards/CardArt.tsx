import type { ReactNode, SVGProps } from 'react'
import { cx } from '#web/kit/cx.ts'
import { ownDrawing } from '#web/kit/Logo.tsx'

/** The logo's block, in the lower left corner of a card. */
const BLOCK = 'M24 56h70v42H38a14 14 0 0 1-14-14z'

/** Scenes with the logo's card. The gold block is the money on it. */
const scenes = {
  /** Nothing here yet. */
  empty: (
    <>
      <Card className="stroke-control" strokeDasharray="9 8" />
      <path d="M80 44v24M68 56h24" className="stroke-control" />
    </>
  ),
  /** The search found nothing. */
  notFound: (
    <>
      <Card className="stroke-control" strokeDasharray="9 8" />
      <circle cx="94" cy="64" r="25" className="fill-page" />
      <path d="M112 83l18 18" className="stroke-ink" />
      <path d="M71 64h27v24.6A25 25 0 0 1 71 66z" className="fill-gold" />
      <circle cx="94" cy="64" r="25" className="stroke-ink" />
    </>
  ),
  /** A page that is not there: the block has fallen out of its card. */
  lost: (
    <>
      <g transform="rotate(-8 80 50)">
        <Card className="fill-surface stroke-ink" />
        <Gap />
      </g>
      <g transform="translate(-22 38) rotate(12 40 70)">
        <path d={BLOCK} className="fill-gold stroke-ink" />
      </g>
    </>
  ),
  /** On its way to the review. */
  sent: (
    <>
      <path d="M4 34h14M-4 56h18M4 78h14" className="stroke-control" />
      <Card className="fill-surface stroke-ink" />
      <path d={BLOCK} className="fill-gold stroke-ink" />
      <circle cx="134" cy="24" r="17" className="fill-positive stroke-page" />
      <path d="M126 24l6 6 10-11" className="stroke-page" />
    </>
  ),
  /** The money has left the card for its owner. */
  paid: (
    <>
      <Card className="fill-surface stroke-ink" />
      <Gap />
      <g transform="translate(52 -34) rotate(-7 60 77)" className="animate-arrive">
        <path d={BLOCK} className="fill-gold stroke-ink" />
        <path d="M44 76l11 11 20-22" className="stroke-on-gold" />
      </g>
    </>
  ),
} satisfies Record<string, ReactNode>

export function CardArt({ scene, className }: { scene: keyof typeof scenes; className?: string }) {
  return (
    (__SHOP_DRAWINGS__ && ownDrawing(__SHOP_DRAWINGS__, scene, className ?? 'h-24 w-auto')) || (
      <svg
        viewBox="0 0 160 116"
        aria-hidden="true"
        fill="none"
        strokeWidth="4"
        strokeLinecap="round"
        strokeLinejoin="round"
        className={cx('overflow-visible', className ?? 'h-24 w-auto')}
      >
        {scenes[scene]}
      </svg>
    )
  )
}

function Card(props: SVGProps<SVGRectElement>) {
  return <rect x="24" y="14" width="112" height="84" rx="14" {...props} />
}

/** Where the block was. */
function Gap() {
  return <path d="M24 56h70v42" strokeWidth="3" strokeDasharray="7 7" className="stroke-control" />
}
