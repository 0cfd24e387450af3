import { type ComponentType, useEffect, useState, useSyncExternalStore } from 'react'
import { onceOnline } from '#web/kit/part.ts'
import { toasts } from '#web/kit/toast.ts'

/**
 * Where toasts appear. What shows them is fetched with the first press of a button or key, before there can be one:
 * fetched with the toast itself, it could not say that the connection is gone.
 */
export function Toasts() {
  const [Toaster, setToaster] = useState<ComponentType>()
  const touched = useTouched()
  // Somebody else's doing can be the first thing to be told, too.
  const told = useSyncExternalStore(toasts.subscribe, toasts.everShown, toasts.neverShown)
  const wanted = (touched || told) && !Toaster
  useEffect(() => {
    if (!wanted) return
    onceOnline(() => import('#web/kit/Toaster.tsx')).then(
      (module) => setToaster(() => module.Toaster),
      () => undefined,
    )
  }, [wanted])
  return Toaster && told && <Toaster />
}

function useTouched(): boolean {
  const [touched, setTouched] = useState(false)
  useEffect(() => {
    const touch = () => setTouched(true)
    const events = ['pointerdown', 'keydown'] as const
    for (const event of events) addEventListener(event, touch, { once: true, passive: true })
    return () => {
      for (const event of events) removeEventListener(event, touch)
    }
  }, [])
  return touched
}
