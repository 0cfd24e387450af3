import { type Color, contrast, parseColor } from './contrast.ts'

/** The color of each token, as written: `{ page: 'oklch(1 0 0)' }`. */
export type Tokens = Readonly<Record<string, string>>
export interface Themes {
  readonly light: Tokens
  readonly dark: Tokens
}

const selectors = { light: ':root', dark: '.dark' } as const

/** The themes as a style sheet. */
export function toCss(themes: Themes): string {
  const ruleOf = (theme: keyof Themes) => {
    const declarations = Object.entries(themes[theme]).map(([name, color]) => `--${name}:${color}`)
    return `${selectors[theme]}{${declarations.join(';')}}`
  }
  // Paper is always light.
  return `${ruleOf('light')}@media not print{${ruleOf('dark')}}`
}

/** Reads `:root { --page: … }` and `.dark { --page: … }`. Reports anything else in the file. */
export function parseTokens(css: string, report: (problem: string) => void): Themes {
  const themes = { light: {}, dark: {} } as Record<keyof Themes, Record<string, string>>
  const plain = css.replace(/\/\*.*?\*\//gs, '')
  for (const [, selector = '', body = ''] of plain.matchAll(/([^{}]*)\{([^{}]*)\}/g)) {
    const theme = selector.trim() === ':root' ? 'light' : selector.trim() === '.dark' ? 'dark' : undefined
    if (!theme) report(`${selector.trim()} must be left out: only :root and .dark are read`)
    else Object.assign(themes[theme], tokensIn(body, `${selector.trim()} `, report))
  }
  if (/[{}]/.test(plain.replace(/[^{}]*\{[^{}]*\}/g, ''))) report('it has an unclosed brace')
  return themes
}

function tokensIn(body: string, where: string, report: (problem: string) => void): Record<string, string> {
  const tokens: Record<string, string> = {}
  for (const declaration of body.split(';').filter((text) => text.trim())) {
    const [, name, color = ''] = /^\s*--([\w-]+)\s*:\s*(.*?)\s*$/s.exec(declaration) ?? []
    if (!name) report(`${where}${declaration.trim()} must be left out: it is not a token`)
    else if (!parseColor(color))
      report(
        `${where}--${name} is ${JSON.stringify(color)}; it must be a color like #1b7f4d, rgb(27 127 77) or oklch(0.5 0.1 150)`,
      )
    else tokens[name] = color
  }
  return tokens
}

/** Colors that are shown on each other. WCAG 2.2 requires 4.5:1 for text (1.4.3) and 3:1 for borders of controls (1.4.11). */
const pairs: readonly { front: string; backs: readonly string[]; needed: number; alpha?: number }[] = [
  ...['ink', 'soft', 'accent'].map((front) => ({
    front,
    backs: ['page', 'surface', 'sunken', 'accent-quiet'],
    needed: 4.5,
  })),
  ...['positive', 'caution', 'info', 'negative', 'neutral'].map((front) => ({
    front,
    backs: ['page', 'surface', 'sunken', `${front}-quiet`],
    needed: 4.5,
  })),
  { front: 'on-accent', backs: ['accent', 'accent-strong'], needed: 4.5 },
  { front: 'on-negative', backs: ['negative-strong'], needed: 4.5 },
  // Texts in the deep band have an opacity of 80 %.
  { front: 'on-deep', backs: ['deep'], needed: 4.5, alpha: 0.8 },
  { front: 'on-gold', backs: ['gold'], needed: 4.5 },
  { front: 'control', backs: ['page', 'surface', 'sunken'], needed: 3 },
]

/** Gold is for money alone, so it must not be taken for the accent. A distance in sRGB, where black and white are 1.73 apart. */
const LEAST_DIFFERENCE = 0.25

/** Reports unknown tokens, gold that looks like the accent, and each pair of colors with too little contrast. */
export function checkThemes(themes: Themes, known: Themes, report: (problem: string) => void): void {
  for (const [theme, tokens] of Object.entries(themes) as [keyof Themes, Tokens][]) {
    for (const name of Object.keys(tokens)) {
      if (!(name in known[theme]))
        report(`${selectors[theme]} --${name} must be left out: there is no such token`)
    }
    if (difference(colorOf(tokens, 'gold'), colorOf(tokens, 'accent')) < LEAST_DIFFERENCE)
      report(`--gold in the ${theme} theme is too much like --accent; it is the color of money alone`)
    for (const { front, backs, needed, alpha = 1 } of pairs) {
      for (const back of backs) {
        const ratio = contrast({ ...colorOf(tokens, front), alpha }, colorOf(tokens, back))
        // Rounded down: 4.497 is not 4.5.
        const shown = (Math.floor(ratio * 100) / 100).toFixed(2)
        if (ratio < needed)
          report(
            `--${front} on --${back} in the ${theme} theme has a contrast of ${shown}:1; it must be at least ${needed}:1`,
          )
      }
    }
  }
}

function difference(one: Color, other: Color): number {
  return Math.hypot(...one.rgb.map((part, index) => part - (other.rgb[index] ?? 0)))
}

function colorOf(tokens: Tokens, name: string): Color {
  const color = parseColor(tokens[name] ?? '')
  if (!color) throw new Error(`There is no token ${name}`)
  return color
}
