import sharp from 'sharp'
import type { Brand } from '../../../brand/brand.ts'
import { parseColor, toHex } from '../../../brand/contrast.ts'

/** Draws the brand's logo as the icons of the installed app. @returns the PNG files by name */
export async function appIcons({
  logo,
  themes,
}: Pick<Brand, 'logo' | 'themes'>): Promise<[string, Buffer][]> {
  const { page = '', accent = '', 'on-accent': onAccent = '' } = themes.light
  // A logo with its own colors is made for the page.
  const onlyCurrentColor = !/\b(fill|stroke)="(?!none|currentColor)/.test(logo.content)
  const [back, front] = onlyCurrentColor ? [accent, onAccent] : [page, accent]
  const colors = { back: hexOf(back), front: hexOf(front) }
  const icons: Record<string, Omit<Icon, 'back' | 'front'>> = {
    'icon-192.png': { size: 192, logo: 0.62, corner: 0.22 },
    'icon-512.png': { size: 512, logo: 0.62, corner: 0.22 },
    // Launchers cut off up to a fifth on each side, https://www.w3.org/TR/appmanifest/#icon-masks
    'icon-maskable-512.png': { size: 512, logo: 0.5, corner: 0 },
    // iOS rounds the corners itself.
    'apple-touch-icon.png': { size: 180, logo: 0.6, corner: 0 },
  }
  const drawn = Object.entries(icons).map(
    async ([name, icon]): Promise<[string, Buffer]> => [name, await draw(logo, { ...icon, ...colors })],
  )
  // Android uses only the shape of this one.
  const badge = draw(logo, { size: 96, logo: 0.8, corner: 0, back: 'none', front: '#ffffff' })
  return [...(await Promise.all(drawn)), ['badge-96.png', await badge]]
}

interface Icon {
  /** Pixels. */
  readonly size: number
  /** The longer side of the logo, as a share of the size. */
  readonly logo: number
  /** The radius of the corners, as a share of the size. */
  readonly corner: number
  readonly back: string
  readonly front: string
}

function draw({ viewBox, content }: Brand['logo'], icon: Icon): Promise<Buffer> {
  const { size, corner, back, front } = icon
  const inner = size * icon.logo
  const start = (size - inner) / 2
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}">
<rect width="${size}" height="${size}" rx="${size * corner}" fill="${back}"/>
<svg x="${start}" y="${start}" width="${inner}" height="${inner}" viewBox="${viewBox}" color="${front}">${content}</svg>
</svg>`
  return sharp(Buffer.from(svg)).png({ compressionLevel: 9, palette: true }).toBuffer()
}

/** `#aabbcc`, which programs other than browsers understand. */
export function hexOf(color: string): string {
  const parsed = parseColor(color)
  if (!parsed) throw new Error(`${color} is not a color`)
  return toHex(parsed)
}
