import { ChevronDown } from 'lucide-react'
import { type ReactNode, Suspense, useState } from 'react'
import { buttonClass } from './Button.tsx'
import { cx } from './cx.ts'

interface MenuOnDemandProps {
  /** The button's accessible name, if its label is not enough. */
  name?: string
  /** What the button shows. */
  label: ReactNode
  /** Fetches the menu before the button is pressed. */
  prefetch: () => void
  /** A `Menu` with `defaultOpen`. It replaces the button when the button is pressed. */
  children: ReactNode
}

/** A button whose menu is fetched on hover or focus: most visits never open one. */
export function MenuOnDemand({ name, label, prefetch, children }: MenuOnDemandProps) {
  const [wanted, setWanted] = useState(false)
  const button = (
    <button
      type="button"
      aria-label={name}
      aria-haspopup="menu"
      aria-expanded={false}
      aria-busy={wanted || undefined}
      onPointerEnter={prefetch}
      onFocus={prefetch}
      onClick={() => setWanted(true)}
      className={menuButtonClass}
    >
      <MenuButtonLabel>{label}</MenuButtonLabel>
    </button>
  )
  return wanted ? <Suspense fallback={button}>{children}</Suspense> : button
}

/** The look of a menu's button, before and after its menu is fetched. */
export const menuButtonClass = cx(
  buttonClass({ variant: 'secondary' }),
  'max-sm:border-transparent max-sm:bg-transparent max-sm:px-3',
)

export function MenuButtonLabel({ children }: { children: ReactNode }) {
  return (
    <>
      {children}
      <ChevronDown aria-hidden="true" className="size-4 text-soft max-sm:hidden" />
    </>
  )
}
