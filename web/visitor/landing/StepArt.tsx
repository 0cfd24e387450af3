import type { ReactNode, SVGProps } from 'react'
import { ownDrawing } from '#web/kit/Logo.tsx'

/** The logo's block, as in web/cards/CardArt.tsx. */
const BLOCK = 'M24 56h70v42H38a14 14 0 0 1-14-14z'

/** The four steps of a sale as four states of one card. */
const states = {
  /** Taken from the drawer, with an unknown amount. */
  chosen: (
    <>
      <Card className="fill-page stroke-control" transform="rotate(12 80 56)" />
      <Card className="fill-page stroke-control" transform="rotate(4 80 56)" />
      <g transform="rotate(-6 80 56)">
        <Card className="fill-surface stroke-ink" />
        <path d="M44 36h26M44 48h14" className="stroke-ink" />
        <path d="M24 62h70v36" strokeWidth="3" strokeDasharray="7 7" className="stroke-control" />
      </g>
    </>
  ),
  /** We say what we pay. */
  quoted: (
    <>
      <Card className="fill-surface stroke-ink" />
      <path d="M24 56h104v42H38a14 14 0 0 1-14-14z" className="fill-gold stroke-ink" />
      <path
        d="M54 70c-2-4-14-4-14 2 0 7 14 4 14 10 0 6-12 6-14 1M47 63v28M66 78h44"
        className="stroke-on-gold"
      />
      <path d="M44 36h26" className="stroke-ink" />
    </>
  ),
  /** In the finder of a camera. */
  photographed: (
    <>
      <path
        d="M4 22V8a12 12 0 0 1 12-12h14M130-4h14a12 12 0 0 1 12 12v14M156 90v14a12 12 0 0 1-12 12h-14M30 116H16a12 12 0 0 1-12-12V90"
        className="stroke-control"
      />
      <Card className="fill-surface stroke-ink" />
      <path d={BLOCK} className="fill-gold stroke-ink" />
      <path d="M44 36h26M106 36h10" className="stroke-ink" />
    </>
  ),
  /** The money leaves the card for its owner. */
  paid: (
    <>
      <Card className="fill-surface stroke-ink" />
      <path d="M24 56h70v42" strokeWidth="3" strokeDasharray="7 7" className="stroke-control" />
      <g transform="translate(52 -34) rotate(-7 60 77)">
        <path d={BLOCK} className="fill-gold stroke-ink" />
        <path d="M44 76l11 11 20-22" className="stroke-on-gold" />
      </g>
    </>
  ),
} satisfies Record<string, ReactNode>

export type StepState = keyof typeof states

const sizeClass = 'h-18 w-auto overflow-visible sm:h-24 lg:h-32'

export function StepArt({ state }: { state: StepState }) {
  return (
    (__SHOP_DRAWINGS__ && ownDrawing(__SHOP_DRAWINGS__, state, sizeClass)) || (
      <svg
        viewBox="22 -8 136 128"
        aria-hidden="true"
        fill="none"
        strokeWidth="4"
        strokeLinecap="round"
        strokeLinejoin="round"
        className={sizeClass}
      >
        {states[state]}
      </svg>
    )
  )
}

function Card(props: SVGProps<SVGRectElement>) {
  return <rect x="24" y="14" width="112" height="84" rx="14" {...props} />
}
