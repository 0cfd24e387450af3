import { useMutation } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { routes } from '#contract/routes.ts'
import type { Revealed } from '#contract/staff-submissions.ts'
import { call } from '#web/wire/call.ts'
import { toastFailure } from '#web/wire/errors.ts'

/** Revealed values are hidden after this time. */
const SHOWN_SECONDS = 30

export type Reveal<Values = Revealed> = ReturnType<typeof useRevealed<Values>>

/** The numbers of a submission. */
export function useReveal(id: string): Reveal {
  return useRevealed(() => call(routes.reveal, { params: { id } }))
}

interface RevealedOptions {
  seconds?: number
  /** Stays visible while another window has the focus, such as the app of a bank beside this one. */
  besideOthers?: boolean
}

/** Fetches full values, which the server audits, and drops them when they are hidden. */
export function useRevealed<Values>(
  fetchValues: () => Promise<Values>,
  { seconds = SHOWN_SECONDS, besideOthers = false }: RevealedOptions = {},
) {
  const [secondsLeft, setSecondsLeft] = useState(seconds)
  const { data, mutate, reset, isPending } = useMutation({
    mutationFn: fetchValues,
    gcTime: 0,
    onError: toastFailure('Reveal Failed', 'The numbers could not be revealed.'),
  })

  const isShown = data !== undefined
  const hide = useEffectEvent(reset)
  useEffect(() => {
    if (!isShown) return
    const end = Date.now() + seconds * 1000
    const tick = () => {
      const left = Math.ceil((end - Date.now()) / 1000)
      setSecondsLeft(left)
      if (left <= 0) hide()
    }
    const hideWhenAway = () => document.hidden && hide()
    const hideNow = () => besideOthers || hide()
    tick()
    // The window may have been hidden before the answer arrived.
    hideWhenAway()
    const timer = setInterval(tick, 250)
    window.addEventListener('blur', hideNow)
    document.addEventListener('visibilitychange', hideWhenAway)
    return () => {
      clearInterval(timer)
      window.removeEventListener('blur', hideNow)
      document.removeEventListener('visibilitychange', hideWhenAway)
    }
  }, [isShown, seconds, besideOthers])

  // Screens of the next submissions stay rendered. Leaving one must not keep its values.
  useEffect(() => () => hide(), [])

  const toggle = () => {
    if (isPending) return
    if (isShown) reset()
    else mutate()
  }
  /** `values` are undefined while they are hidden. */
  return { values: data, secondsLeft, toggle, isPending }
}
