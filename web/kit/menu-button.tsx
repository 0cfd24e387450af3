import { ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { buttonClass } from './Button.tsx'
import { cx } from './cx.ts'

/** The look of a button that opens a menu, whether the menu is there already or not. */
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
