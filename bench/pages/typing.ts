import type { Visit } from './browser.ts'

/** Each turn deletes and types one digit. */
const TURNS = 12

export interface Typed {
  /** Milliseconds from each key in the value field to the changed quote. */
  readonly changed: readonly number[]
  /** Requests to the API while typing. */
  readonly calls: number
}

export async function watchTyping({ page }: Visit): Promise<Typed> {
  await page.goto('/get-quote?brand=amazon')
  await page.waitForLoadState('networkidle')
  const field = page.getByLabel('Card value')
  await field.fill('100')
  await page.getByRole('status').getByText('$93.00').waitFor()
  await page.evaluate(() => {
    const changed: number[] = []
    let pressed = 0
    document.addEventListener(
      'keydown',
      () => {
        pressed = performance.now()
      },
      true,
    )
    const quote = document.querySelector('output')
    const observer = new MutationObserver(() => {
      if (pressed) changed.push(performance.now() - pressed)
      pressed = 0
    })
    if (quote) observer.observe(quote, { subtree: true, childList: true, characterData: true })
    Object.assign(globalThis, { changed })
  })
  let calls = 0
  page.on('request', (request) => {
    if (request.url().includes('/api/')) calls += 1
  })
  await field.press('End')
  for (let turn = 0; turn < TURNS; turn++) {
    await field.press('Backspace')
    await page.getByRole('status').getByText('$93.00').waitFor({ state: 'detached' })
    await field.press('0')
    await page.getByRole('status').getByText('$93.00').waitFor()
  }
  const changed = await page.evaluate(() => (globalThis as unknown as { changed: number[] }).changed)
  return { changed, calls }
}
