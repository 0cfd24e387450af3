import { useEffect, useEffectEvent, useState } from 'react'

const PAUSE = 300

interface SettledText {
  text: string
  setText: (text: string) => void
  /** Doesn't wait for the pause. */
  settle: () => void
}

/** Text that counts once the typing pauses. The address may change it too: a link, or Back. */
export function useSettledText(value: string, onChange: (value: string) => void): SettledText {
  const [text, setText] = useState(value)
  const [known, setKnown] = useState(value)
  if (known !== value) {
    setKnown(value)
    if (text.trim() !== value) setText(value)
  }
  const settle = () => {
    if (text.trim() !== value) onChange(text.trim())
  }
  const settleLater = useEffectEvent(settle)
  useEffect(() => {
    const timer = setTimeout(() => text.trim() === value || settleLater(), PAUSE)
    return () => clearTimeout(timer)
  }, [text, value])
  return { text, setText, settle }
}
