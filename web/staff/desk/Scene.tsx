import { type ComponentProps, Suspense } from 'react'
import { lazyComponent } from '#web/kit/lazy-component.ts'

const CardArt = lazyComponent(() => import('#web/cards/CardArt.tsx').then((module) => module.CardArt))

/** A drawing for an empty state. Its code is fetched when it is shown: few lists are empty. */
export function Scene(props: ComponentProps<typeof CardArt>) {
  return (
    <Suspense fallback={<div className="h-24" />}>
      <CardArt {...props} />
    </Suspense>
  )
}
