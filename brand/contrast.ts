/** A color in sRGB: red, green and blue from 0 to 1, and its opacity. */
export interface Color {
  readonly rgb: readonly [number, number, number]
  readonly alpha: number
}

/** Reads `#abc`, `#aabbcc`, `rgb(1 2 3 / 0.5)` or `oklch(0.4 0.07 200 / 0.5)`. Undefined for anything else. */
export function parseColor(text: string): Color | undefined {
  return hexColor(text) ?? functionColor(text)
}

/** The contrast of a color on an opaque background, from 1 to 21 (WCAG 2.2, contrast ratio). */
export function contrast(front: Color, back: Color): number {
  const [dark = 0, light = 0] = [luminance(over(front, back)), luminance(back)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

/** `#aabbcc`, for email programs, which know no other notation. Without the opacity. */
export function toHex({ rgb }: Color): string {
  return `#${rgb
    .map((part) =>
      Math.round(part * 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`
}

function hexColor(text: string): Color | undefined {
  const [, digits = ''] = /^#([\da-f]{3}|[\da-f]{6})$/i.exec(text) ?? []
  const parts = digits.length === 3 ? [...digits].map((digit) => digit + digit) : digits.match(/../g)
  if (!parts?.length) return undefined
  const [red = 0, green = 0, blue = 0] = parts.map((part) => Number.parseInt(part, 16) / 255)
  return { rgb: [red, green, blue], alpha: 1 }
}

const FUNCTION = /^(rgb|oklch)\(\s*([\d.]+)\s+([\d.]+)\s+([\d.]+)(?:\s*\/\s*([\d.]+))?\s*\)$/

function functionColor(text: string): Color | undefined {
  const [, name, ...numbers] = FUNCTION.exec(text) ?? []
  const [a = 0, b = 0, c = 0, alpha = 1] = numbers.filter((part) => part !== undefined).map(Number)
  if (!name || [a, b, c, alpha].some(Number.isNaN)) return undefined
  if (name === 'oklch') return { rgb: fromOklch(a, b, c), alpha }
  return { rgb: [a / 255, b / 255, c / 255], alpha }
}

/** Björn Ottosson's conversion, https://bottosson.github.io/posts/oklab. Colors outside of sRGB are clipped. */
function fromOklch(lightness: number, chroma: number, hue: number): Color['rgb'] {
  const [a, b] = [Math.cos((hue * Math.PI) / 180) * chroma, Math.sin((hue * Math.PI) / 180) * chroma]
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    encoded(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    encoded(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    encoded(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ]
}

/** The transfer function of sRGB. */
function encoded(linear: number): number {
  const clipped = Math.min(1, Math.max(0, linear))
  return clipped <= 0.0031308 ? 12.92 * clipped : 1.055 * clipped ** (1 / 2.4) - 0.055
}

function over({ rgb, alpha }: Color, back: Color): Color {
  const [red = 0, green = 0, blue = 0] = rgb.map((part, i) => part * alpha + (back.rgb[i] ?? 0) * (1 - alpha))
  return { rgb: [red, green, blue], alpha: 1 }
}

function luminance({ rgb }: Color): number {
  const [red = 0, green = 0, blue = 0] = rgb.map((part) =>
    part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
  )
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
