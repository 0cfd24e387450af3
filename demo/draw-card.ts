import sharp from 'sharp'
import { monogram } from '#domain/monogram.ts'

/** A drawn card. It shows no trademark: only the name in plain letters and two letters on a tile. */
export interface DrawnCard {
  readonly brandName: string
  readonly number: string
  readonly pin?: string | undefined
  /** Decides the position and the table. The same seed draws the same picture. */
  readonly seed: number
}

const WIDTH = 1400
const HEIGHT = 1050
const CARD = { width: 1000, height: 631 }

/** Different tables. */
const tables = [
  { base: 'hsl(32 28% 62%)', boards: 'hsl(30 26% 56%)', turn: 0 },
  { base: 'hsl(210 8% 84%)', boards: 'hsl(210 8% 80%)', turn: 90 },
  { base: 'hsl(24 30% 30%)', boards: 'hsl(24 32% 25%)', turn: 8 },
  { base: 'hsl(88 12% 72%)', boards: 'hsl(88 12% 68%)', turn: 45 },
  { base: 'hsl(215 14% 26%)', boards: 'hsl(215 14% 22%)', turn: -20 },
] as const

/** A photo of the front of a card on a table, as JPEG. */
export function drawFront(card: DrawnCard): Promise<Buffer> {
  const { hue, dark, light } = colorsOf(card.brandName)
  return photograph(
    card,
    `<rect width="1000" height="631" rx="42" fill="url(#face)"/>
    <circle clip-path="url(#edge)" cx="${700 + (card.seed % 5) * 60}" cy="${80 + (card.seed % 7) * 70}" r="330" fill="hsl(${hue} 60% 70% / .14)"/>
    <path d="M0 ${430 + (card.seed % 4) * 30} q 260 -150 520 -20 t 480 -60 V589 q0 42 -42 42 H42 q-42 0 -42 -42 Z" fill="hsl(${hue} 70% 12% / .22)"/>
    <rect x="60" y="60" width="132" height="132" rx="26" fill="${light}"/>
    <text x="126" y="148" text-anchor="middle" font-size="62" font-weight="700" fill="${dark}">${monogram(card.brandName)}</text>
    <text x="224" y="${card.brandName.length > 17 ? 122 : 130}" font-size="${card.brandName.length > 17 ? 44 : 60}" font-weight="700" fill="#fff">${escapeXml(card.brandName)}</text>
    <text x="226" y="180" font-size="30" letter-spacing="8" fill="#ffffffb0">GIFT CARD</text>
    <text x="60" y="520" font-family="monospace" font-size="58" fill="#fff">${escapeXml(card.number)}</text>
    <text x="60" y="580" font-size="26" letter-spacing="5" fill="#ffffff90">DRAWN FOR A DEMO · NO VALUE</text>`,
  )
}

/** A photo of the back, with a magnetic stripe and the scratched panel over the PIN, as JPEG. */
export function drawBack(card: DrawnCard): Promise<Buffer> {
  const scratches = Array.from({ length: 9 }, (_, index) => {
    const x = 70 + index * 38
    return `<path d="M${x} ${382 + (index % 3) * 9} l ${26 + (index % 4) * 7} 62" stroke="#f6f3ec" stroke-width="30"/>`
  })
  return photograph(
    { ...card, seed: card.seed + 3 },
    `<rect width="1000" height="631" rx="42" fill="#efe9dd"/>
    <rect y="62" width="1000" height="118" fill="#2a2a2c"/>
    <rect x="60" y="360" width="430" height="110" rx="10" fill="#a9a9ab"/>
    <g stroke-linecap="round">${scratches.join('')}</g>
    <text x="86" y="434" font-family="monospace" font-size="52" fill="#222">${escapeXml(card.pin ?? '----')}</text>
    <text x="60" y="338" font-size="28" fill="#555">PIN, under the panel</text>
    <text x="60" y="256" font-family="monospace" font-size="44" fill="#333">${escapeXml(card.number)}</text>
    <text x="60" y="562" font-size="24" fill="#777">${escapeXml(card.brandName)} gift card, drawn for a demo. It has no value.</text>`,
  )
}

function photograph({ seed, brandName }: DrawnCard, card: string): Promise<Buffer> {
  const table = tables[seed % tables.length] ?? tables[0]
  const { dark, light, hue } = colorsOf(brandName)
  const random = randomFrom(seed)
  const turn = random() * 70 - 35
  const scale = 0.62 + random() * 0.24
  const [x, y] = [WIDTH / 2 + random() * 360 - 180, HEIGHT / 2 + random() * 260 - 130]
  const boards = Array.from(
    { length: 14 },
    (_, index) =>
      `<rect x="-500" y="${-600 + index * 190}" width="2600" height="${60 + ((index * seed) % 5) * 22}" fill="${table.boards}"/>`,
  )
  // Shadows and light from a window, so that no two photos look like duplicates. Gradients: drawing a blur takes ten times as long.
  const patches = Array.from({ length: 14 }, (_, index) => {
    const at = `cx="${random() * WIDTH}" cy="${random() * HEIGHT}" rx="${110 + random() * 300}" ry="${80 + random() * 200}"`
    return `<ellipse ${at} fill="url(#${index % 2 ? 'light' : 'shade'})" opacity="${0.3 + random() * 0.4}"/>`
  })
  const lamp = `cx="${15 + ((seed * 41) % 70)}%" cy="${10 + ((seed * 23) % 60)}%" r="90%"`
  const shadow = [28, 20, 12, 4].map(
    (edge) =>
      `<rect x="${14 - edge}" y="${22 - edge}" width="${1000 + 2 * edge}" height="${631 + 2 * edge}" rx="${42 + edge}" opacity=".12"/>`,
  )
  const drawing = `<svg width="${WIDTH}" height="${HEIGHT}" xmlns="http://www.w3.org/2000/svg" font-family="Liberation Sans, DejaVu Sans, sans-serif">
    <defs>
      <linearGradient id="face" x2="1" y2="1"><stop stop-color="${dark}"/><stop offset="1" stop-color="hsl(${hue + 24} 48% 40%)"/></linearGradient>
      <radialGradient id="lamp" ${lamp}><stop stop-color="#fff" stop-opacity=".3"/><stop offset="1" stop-color="#000" stop-opacity=".38"/></radialGradient>
      <clipPath id="edge"><rect width="1000" height="631" rx="42"/></clipPath>
      <radialGradient id="light"><stop offset=".4" stop-color="#fff"/><stop offset="1" stop-color="#fff" stop-opacity="0"/></radialGradient>
      <radialGradient id="shade"><stop offset=".4"/><stop offset="1" stop-opacity="0"/></radialGradient>
    </defs>
    <rect width="100%" height="100%" fill="${table.base}"/>
    <g transform="rotate(${table.turn} 700 525)">${boards.join('')}</g>
    ${patches.join('')}
    <g transform="translate(${x} ${y}) rotate(${turn}) scale(${scale}) translate(${-CARD.width / 2} ${-CARD.height / 2})">
      ${shadow.join('')}
      ${card}
      <rect x="1.5" y="1.5" width="997" height="628" rx="41" fill="none" stroke="${light}" stroke-opacity=".35" stroke-width="3"/>
    </g>
    <rect width="100%" height="100%" fill="url(#lamp)"/>
  </svg>`
  return sharp(Buffer.from(drawing)).jpeg({ quality: 82 }).toBuffer()
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Colors from the brand's name, which are not the brand's own. */
function colorsOf(brandName: string): { hue: number; dark: string; light: string } {
  let sum = 7
  for (const character of brandName) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 9973
  const hue = (sum * 47) % 360
  return { hue, dark: `hsl(${hue} 46% 27%)`, light: `hsl(${hue} 45% 90%)` }
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
