import { Rows3, Rows4 } from 'lucide-react'
import { IconButton } from '#web/kit/Button.tsx'
import { createStoredText, useStore } from '#web/kit/store.ts'

/** The height of rows, which the browser remembers. */
export type Density = 'comfortable' | 'compact'

const stored = createStoredText('localStorage', 'staff-density')

export function useDensity(): Density {
  return useStore(stored) === 'compact' ? 'compact' : 'comfortable'
}

export function DensitySwitch() {
  const isCompact = useDensity() === 'compact'
  return (
    <IconButton
      label="Compact rows"
      aria-pressed={isCompact}
      onClick={() => stored.set(isCompact ? 'comfortable' : 'compact')}
      className="-my-2 -mr-2 text-soft hover:text-ink aria-pressed:text-accent md:pointer-fine:size-9"
    >
      {isCompact ? <Rows4 /> : <Rows3 />}
    </IconButton>
  )
}
