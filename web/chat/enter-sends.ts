import type { KeyboardEvent } from 'react'

/** For the field of a chat: Enter sends, Shift+Enter begins a new line. */
export function enterSends(send: () => void): (event: KeyboardEvent) => void {
  return (event) => {
    // Enter also ends the choice of a character in Japanese or Chinese, and then isn't meant for us.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    send()
  }
}
