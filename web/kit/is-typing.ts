/** Whether a key pressed on this element types or selects in it. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return (
    target.isContentEditable ||
    target.matches('input:not([type="checkbox"]), textarea, select, [role="combobox"]')
  )
}
