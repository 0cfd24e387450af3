import { lazy, Suspense, useState } from 'react'
import { useStaff } from '../StaffArea.tsx'
import { BellFace, bellProps } from './BellFace.tsx'

const loadPopover = () => import('./BellPopover.tsx')
const BellPopover = lazy(() => loadPopover().then((module) => ({ default: module.BellPopover })))

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
      onPointerEnter={loadPopover}
      onFocus={loadPopover}
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
