import { Suspense, useState } from 'react'
import type { DialogProps } from './OpenDialog.tsx'
import { part } from './part.ts'

const OpenDialog = part(() => import('./OpenDialog.tsx').then((module) => module.OpenDialog))

/** A modal dialog. What makes it one is fetched when it first opens: most visits of a page open none. */
export function Dialog(props: DialogProps) {
  const [wanted, setWanted] = useState(props.open)
  if (props.open && !wanted) setWanted(true)
  return (
    wanted && (
      <Suspense>
        <OpenDialog {...props} />
      </Suspense>
    )
  )
}
