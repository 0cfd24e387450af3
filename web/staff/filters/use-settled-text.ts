import { useEffect, useEffectEvent, useState } from 'react'
import { useLocation } from '#web/kit/router/index.ts'

/** Milliseconds without a key press after which typed text counts. */
const PAUSE = 300

interface SettledText {
  text: string
  setText: (text: string) => void
  /** Doesn't wait for the pause. */
  settle: () => void
}

/**
 * Text that takes effect when typing pauses. It is part of the address, so a link, Back or "Clear filters" can change it too.
 * @param value what the address says
 */
export function useSettledText(value: string, onChange: (value: string) => void): SettledText {
  const { key } = useLocation()
  const [text, setText] = useState(value)
  const [sent, setSent] = useState(value)
  const [seenKey, setSeenKey] = useState(key)
  // The address updates a moment later, and the person may have typed more by then. Our own text coming back is
  // ignored. A different text was changed elsewhere and replaces what is typed.
  if (seenKey !== key) {
    setSeenKey(key)
    if (value !== sent) {
      setSent(value)
      setText(value)
    }
  }
  const settle = () => {
    if (text.trim() === sent) return
    setSent(text.trim())
    onChange(text.trim())
  }
  const settleLater = useEffectEvent(settle)
  useEffect(() => {
    const timer = setTimeout(() => settleLater(), PAUSE)
    // Back leads somewhere else: typed text must not change the address there.
    const cancel = () => clearTimeout(timer)
    addEventListener('popstate', cancel)
    return () => {
      cancel()
      removeEventListener('popstate', cancel)
    }
  }, [text, key])
  return { text, setText, settle }
}
