import type { Page } from '@playwright/test'
import { seriousFaults } from './axe.ts'
import { expect } from './fixtures.ts'

/** Checks accessibility and horizontal overflow at the current size, in the current theme. */
export async function expectAccessible(page: Page): Promise<void> {
  await expectNoHorizontalScroll(page)
  expect(await seriousFaults(page), 'accessibility').toEqual([])
}

/** Like `expectAccessible`, in both themes. */
export async function expectAccessibleInBothThemes(page: Page): Promise<void> {
  await expectAccessible(page)
  await inTheOtherTheme(page, async () => {
    await expectNoHorizontalScroll(page)
    // Colors may still be in transition to the other theme.
    await expect.poll(() => seriousFaults(page, 'colors')).toEqual([])
  })
}

export async function expectNoHorizontalScroll(page: Page): Promise<void> {
  const { width } = page.viewportSize() ?? { width: 0 }
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
}

/** Checks that every button shows a text, an icon or a picture. */
export async function expectNoEmptyButton(page: Page): Promise<void> {
  const empty = page.getByRole('button').evaluateAll((buttons) => {
    const isSeen = (box: DOMRect) => box.width > 2 && box.height > 2
    const shows = (node: Node): boolean => {
      if (node instanceof Element && !node.checkVisibility({ visibilityProperty: true })) return false
      if (node instanceof SVGElement || node instanceof HTMLImageElement)
        return isSeen(node.getBoundingClientRect())
      if (!(node instanceof Text)) return [...node.childNodes].some(shows)
      // Text for screen readers only is in a box of one pixel.
      return node.data.trim() !== '' && isSeen(node.parentElement?.getBoundingClientRect() ?? new DOMRect())
    }
    return buttons.filter((button) => !shows(button)).map((button) => button.outerHTML)
  })
  expect(await empty, 'buttons without visible content').toEqual([])
}

/** Checks that no text leaves the window or its box, is cut off, or needs more than two lines of a button. */
export async function expectTextFits(page: Page): Promise<void> {
  await expectNoHorizontalScroll(page)
  expect.soft(await page.evaluate(textsThatDoNotFit), 'texts that do not fit').toEqual([])
}

/** Runs in the page. */
function textsThatDoNotFit(): string[] {
  const problems = new Set<string>()
  const report = (problem: string, text: string) => problems.add(`${problem}: ${text.trim().slice(0, 80)}`)
  const clips = (element: Element) => /hidden|clip/.test(getComputedStyle(element).overflowX)
  const forScreenReaders = (element: Element): boolean =>
    (element.clientWidth <= 1 && getComputedStyle(element).position === 'absolute') ||
    (element.parentElement !== null && forScreenReaders(element.parentElement))
  const scrolls = (element: Element) => /auto|scroll/.test(getComputedStyle(element).overflowX)

  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const node = texts.currentNode as Text
    const element = node.parentElement
    if (!node.data.trim() || !element?.checkVisibility({ visibilityProperty: true })) continue
    // A drawing of a photo may cut its texts off.
    if (element.closest('script, style, noscript, option, svg[role=img]') || forScreenReaders(element))
      continue
    const range = document.createRange()
    range.selectNodeContents(node)
    const lines = [...range.getClientRects()].filter(({ width }) => width > 0)
    const left = Math.min(...lines.map((line) => line.left))
    const right = Math.max(...lines.map((line) => line.right))
    if (
      new Set(lines.map(({ top }) => Math.round(top))).size > 2 &&
      element.closest('button, a.font-semibold')
    ) {
      report('more than two lines in a button', node.data)
    }
    for (let box: Element | null = element; box && !scrolls(box); box = box.parentElement) {
      if (/inline$|contents/.test(getComputedStyle(box).display) || box === document.documentElement) continue
      const edge = box.getBoundingClientRect()
      if (left < edge.left - 1 || right > edge.right + 1)
        report(clips(box) ? 'cut off' : 'outside of its box', node.data)
    }
    const clamp = element.closest('[class*=line-clamp]')
    if (clamp && clamp.scrollHeight > clamp.clientHeight + 1) report('cut off', node.data)
    if (left < 0 || right > innerWidth) report('outside of the window', node.data)
  }

  const pen = document.createElement('canvas').getContext('2d')
  for (const field of document.querySelectorAll<HTMLInputElement>('input')) {
    const shown = field.value || field.placeholder
    const { font, paddingLeft, paddingRight } = getComputedStyle(field)
    if (!pen || !shown || /hidden|file|radio|checkbox|password/.test(field.type) || !field.checkVisibility())
      continue
    pen.font = font
    const room = field.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight)
    if (pen.measureText(shown).width > room + 1) report('cut off in its field', shown)
  }
  return [...problems]
}

/** Sets the class directly, because a dialog covers the theme button. */
async function inTheOtherTheme(page: Page, look: () => Promise<void>): Promise<void> {
  const change = () => page.evaluate(() => void document.documentElement.classList.toggle('dark'))
  await change()
  await look()
  await change()
}

export async function chooseTheme(page: Page, theme: 'light' | 'dark'): Promise<void> {
  await page.addInitScript((chosen) => localStorage.setItem('theme', chosen), theme)
}
