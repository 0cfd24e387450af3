import { type ReactNode, Suspense, useState } from 'react'
import { MenuButtonLabel, menuButtonClass } from './menu-button.tsx'

interface MenuOnDemandProps {
  /** The button's name. */
  name: string
  /** What the button shows. */
  label: ReactNode
  /** Fetches the menu, so that it is there when the press comes. */
  prefetch: () => void
  /** The menu, with `defaultOpen`: it takes the button's place once it is pressed. */
  children: ReactNode
}

/** A button whose menu is fetched when somebody reaches for it: most visits never open one. */
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
