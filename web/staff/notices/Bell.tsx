import { Suspense, useState } from 'react'
import { lazyComponent } from '#web/kit/lazy-component.ts'
import { useStaff } from '../StaffArea.tsx'
import { BellFace, bellProps } from './BellFace.tsx'

const BellPopover = lazyComponent(() => import('./BellPopover.tsx').then((module) => module.BellPopover))

/** What happened since one last looked: how much of it is new, and the list, fetched when somebody reaches for it. */
export function Bell() {
  const { notices } = useStaff()
  const [wanted, setWanted] = useState(false)
  const button = (
    <button
      type="button"
      {...bellProps(notices.unread)}
      aria-haspopup="dialog"
      aria-expanded={false}
      aria-busy={wanted || undefined}
      onPointerEnter={BellPopover.prefetch}
      onFocus={BellPopover.prefetch}
      onClick={() => setWanted(true)}
    >
      <BellFace unread={notices.unread} />
    </button>
  )
  return wanted ? (
    <Suspense fallback={button}>
      <BellPopover notices={notices} />
    </Suspense>
  ) : (
    button
  )
}
