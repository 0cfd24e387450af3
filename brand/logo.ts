import type { Logo } from '#domain/shop-brand.ts'

/** It is in every document, so it must be small. */
const MAX_LOGO_BYTES = 4000

/** What an inline drawing must not have: the content security policy refuses it, or it fetches something. */
const REFUSED =
  /<(script|style|foreignObject|image|a)\b|\s(style|on\w+|xlink:href)\s*=|\shref\s*=\s*["'](?!#)|<!(?!--)/i

/** Reads a drawing of the brand. Its colors must be tokens, whose contrast is checked and which have a value in each theme. */
export function parseDrawing(
  svg: string,
  tokens: readonly string[],
  report: (problem: string) => void,
): Logo | undefined {
  for (const [, name, color = ''] of svg.matchAll(/\s(fill|stroke|color|stop-color)="([^"]*)"/g)) {
    const [, token = ''] = /^var\(--(.*)\)$/.exec(color) ?? []
    if (color !== 'none' && !tokens.includes(token))
      report(`${name}="${color}" must be a token of tokens.css like var(--gold)`)
  }
  return parseLogo(svg, report)
}

/** Reads an SVG file with a `viewBox`. `currentColor` in it is the accent color. */
export function parseLogo(svg: string, report: (problem: string) => void): Logo | undefined {
  const drawing = svg
    .replace(/<\?.*?\?>|<!--.*?-->|<title>.*?<\/title>/gs, '')
    .replace(/>\s+</g, '><')
    .trim()
  const [, attributes = '', content = ''] = /^<svg\b([^>]*)>(.*)<\/svg>$/s.exec(drawing) ?? []
  const viewBox = /\sviewBox="([-\d. ]+)"/.exec(attributes)?.[1]
  if (!viewBox) report('it must be an SVG drawing with a viewBox')
  else if (Buffer.byteLength(drawing) > MAX_LOGO_BYTES) report(`it must have at most ${MAX_LOGO_BYTES} bytes`)
  const [refused] = REFUSED.exec(drawing) ?? []
  if (refused) report(`it must not contain ${refused.trim()}`)
  if (!viewBox || refused) return undefined
  const inherited = attributes.replace(
    /\s(xmlns(:\w+)?|viewBox|width|height|id|class|role|aria-\w+|version)="[^"]*"/g,
    '',
  )
  return { viewBox, content: inherited.trim() ? `<g${inherited}>${content}</g>` : content }
}

/** The logo as a file, for browser tabs. */
export function toFavicon({ viewBox, content }: Logo, accent: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${viewBox}" color="${accent}">${content}</svg>\n`
}
