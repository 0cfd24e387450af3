import type { Page } from '@playwright/test'
import axe from 'axe-core'

declare global {
  interface Window {
    axe?: typeof axe
  }
}

/** The rules that depend on colors. The others give the same result in both themes. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block']

/**
 * Accessibility problems of a page that axe rates serious or critical. Runs axe directly: its wrapper for Playwright
 * opens a second page for each run and also transfers what passed, which takes ten times as long.
 */
export async function seriousFaults(
  page: Page,
  of: 'everything' | 'colors' = 'everything',
  /** A selector for the part to check, for pages that are too long to check as a whole. */
  part = ':root',
): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  const rules = of === 'colors' ? COLOR_RULES : undefined
  return page.evaluate(
    async ({ only, where }) => {
      // Finish transitions: a color between two themes belongs to neither. Some animations never end.
      const passing = document
        .getAnimations()
        .filter((one) => one.effect?.getComputedTiming().endTime !== Infinity)
      await Promise.allSettled(passing.map(({ finished }) => finished))
      const found = await window.axe?.run(where, {
        resultTypes: ['violations'],
        ...(only && { runOnly: only }),
      })
      if (!found) throw new Error('axe is not on the page')
      return found.violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
    },
    { only: rules, where: part },
  )
}
