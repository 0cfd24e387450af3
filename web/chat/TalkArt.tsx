import { ownDrawing } from '#web/kit/Logo.tsx'

/** A card that speaks, with what is left on it: in the style of CardArt, which more pages load. */
export function TalkArt() {
  return (
    (__SHOP_DRAWINGS__ && ownDrawing(__SHOP_DRAWINGS__, 'talk', 'h-24 w-auto')) || (
      <svg
        viewBox="0 0 160 120"
        aria-hidden="true"
        fill="none"
        strokeWidth="4"
        strokeLinecap="round"
        strokeLinejoin="round"
        className="h-24 w-auto overflow-visible"
      >
        <path
          d="M38 14h84a14 14 0 0 1 14 14v56a14 14 0 0 1-14 14v18l-20-18H38a14 14 0 0 1-14-14V28a14 14 0 0 1 14-14z"
          className="fill-surface stroke-ink"
        />
        <path d="M24 56h70v42H38a14 14 0 0 1-14-14z" className="fill-gold stroke-ink" />
        <path d="M46 35h42M102 35h12" className="stroke-control" />
      </svg>
    )
  )
}
