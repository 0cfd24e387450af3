import type { Page } from '@playwright/test'

/**
 * From a key in the value field to the quote in the page, as its own clock has it: [the work until the text has
 * changed, and until it is painted]. Milliseconds, one of each for a key.
 */
export async function watchTyping(page: Page): Promise<{ changed: number[]; requests: number }> {
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
  let requests = 0
  page.on('request', () => {
    requests += 1
  })
  await field.press('End')
  for (let turn = 0; turn < 12; turn++) {
    await field.press('Backspace')
    await page.getByRole('status').getByText('$93.00').waitFor({ state: 'detached' })
    await field.press('0')
    await page.getByRole('status').getByText('$93.00').waitFor()
  }
  const changed = await page.evaluate(() => (globalThis as unknown as { changed: number[] }).changed)
  return { changed, requests }
}
