/** Scrolls to something; smoothly, unless motion is unwelcome. */
export function showInView(element: Element | null): void {
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches
  element?.scrollIntoView({ behavior: still ? 'auto' : 'smooth' })
}
