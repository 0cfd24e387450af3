import { productName } from '#web/words/site.ts'

/** A card with its remaining balance. */
export function LogoMark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 28 22" aria-hidden="true" className={className}>
      <rect
        x="1.25"
        y="1.25"
        width="25.5"
        height="19.5"
        rx="4"
        fill="none"
        stroke="currentColor"
        strokeWidth="2.5"
      />
      <path d="M1.25 10.5h16v10.25h-12a4 4 0 0 1-4-4z" fill="currentColor" />
    </svg>
  )
}

export function Logo() {
  return (
    <span className="inline-flex items-center gap-2 sm:gap-2.5">
      <LogoMark className="h-5 w-auto text-accent" />
      <span className="font-bold tracking-tight sm:text-lg">{productName}</span>
    </span>
  )
}
