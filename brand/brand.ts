import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { z } from 'zod'
import type { OpeningHours } from '#domain/opening-hours.ts'
import {
  type DrawingName,
  drawingNames,
  type HeroLayout,
  type Localized,
  type Logo,
  type ShopBrand,
} from '#domain/shop-brand.ts'
import { brandTextProblems } from '#words/catalogs.ts'
import { brandJson, inBoth } from './brand-json.ts'
import { parseDrawing, parseLogo, toFavicon } from './logo.ts'
import { checkThemes, parseTokens, type Themes } from './tokens.ts'
import { type Type, typeOf } from './type.ts'

/** Everything in a brand's folder. Pages get the part that is in `ShopBrand`. */
export interface Brand extends ShopBrand {
  readonly logo: Logo
  readonly themes: Themes
  /** Undefined for the default's. */
  readonly type: Type | undefined
  /** Pixels of the largest corners. Undefined for the default's. */
  readonly radius: number | undefined
  readonly hero: HeroLayout
  /** Instead of ours. */
  readonly drawings: Drawings
  /** An SVG file, for browser tabs. */
  readonly favicon: string
  /** The path of a picture of 1200 by 630 pixels, shown with links to the site. */
  readonly sharePicture: string | undefined
  /** Where the brand's own texts are: en.json and es.json, by key. */
  readonly wordsFolder: string | undefined
}

type Drawings = Readonly<Partial<Record<DrawingName, Logo>>>

/** The values of PRODUCT_NAME and SUPPORT_…, which override brand.json. */
export interface BrandSettings {
  readonly name?: string | undefined
  readonly email?: string | undefined
  readonly phone?: string | undefined
  readonly hours?: string | undefined
}

/** An unusable brand folder. The message has one line for each problem. */
export class BrandError extends Error {
  override name = 'BrandError'
}

/**
 * Reads the brand in a folder. Anything missing comes from the default brand.
 *
 * @param folder BRAND_DIR; undefined for the default brand
 * @throws {BrandError} with one line for each problem, naming the file and the key
 */
export function readBrand(folder?: string, settings: BrandSettings = {}): Brand {
  const problems: string[] = []
  const base = readFolder(defaultFolder, problems) as DefaultParts
  const own = folder === undefined ? {} : readFolder(folder, problems)
  const themes = {
    light: { ...base.themes.light, ...own.themes?.light },
    dark: { ...base.themes.dark, ...own.themes?.dark },
  }
  const tokensFile = join(folder ?? defaultFolder, 'tokens.css')
  checkThemes(themes, base.themes, (problem) => problems.push(`${tokensFile}: ${problem}`))
  const inFolder = (problem: string) => problems.push(join(folder ?? defaultFolder, problem))
  const type = typeOf(own.typeface, own.type, inFolder)
  const drawings = folder === undefined ? {} : readDrawings(folder, Object.keys(base.themes.light), inFolder)
  if (problems.length > 0) throw new BrandError(problems.join('\n'))

  const { email, phone, hours } = settings
  const logo = own.logo ?? base.logo
  // The default pictures show the default brand.
  const pictures = own.name === undefined && own.logo === undefined ? base : undefined
  return {
    name: settings.name ?? own.name ?? base.name,
    logo,
    support: {
      email: email ?? own.support?.email,
      phone: phone ?? own.support?.phone,
      hours: hours === undefined ? (own.support?.hours ?? base.support.hours) : inBoth(hours),
    },
    openingHours:
      hours === undefined ? (own.support?.hours ? own.support : base.support).openingHours : undefined,
    company: own.company,
    claims: own.claims ?? base.claims,
    payoutMethods: own.payoutMethods ?? base.payoutMethods,
    themes,
    type,
    radius: own.radius,
    hero: own.hero ?? 'beside',
    drawings,
    favicon: own.favicon ?? pictures?.favicon ?? toFavicon(logo, themes.light.accent ?? ''),
    sharePicture: own.sharePicture ?? pictures?.sharePicture,
    wordsFolder: own.wordsFolder,
  }
}

const defaultFolder = join(import.meta.dirname, 'default')

type Parts = z.output<typeof brandJson> & {
  logo?: Logo | undefined
  themes?: Themes | undefined
  /** The path of the file. */
  typeface?: string | undefined
  favicon?: string | undefined
  sharePicture?: string | undefined
  wordsFolder?: string | undefined
}

/** The default brand has everything that every shop needs. */
type DefaultParts = Parts &
  Required<Pick<Brand, 'name' | 'logo' | 'themes' | 'favicon' | 'claims' | 'payoutMethods'>> & {
    support: { hours: Localized; openingHours?: OpeningHours | undefined }
  }

/** Everything in the folder. Adds its problems to `problems`. */
function readFolder(folder: string, problems: string[]): Parts {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    problems.push(`BRAND_DIR is ${JSON.stringify(folder)}; it must be the path of a folder`)
    return {}
  }
  /** The parsed file; undefined if it does not exist. */
  function read<T>(
    name: string,
    parse: (text: string, report: (problem: string) => void) => T,
  ): T | undefined {
    const file = join(folder, name)
    if (!existsSync(file)) return undefined
    return parse(readFileSync(file, 'utf8'), (problem) => problems.push(`${file}: ${problem}`))
  }
  const wordsFolder = join(folder, 'words')
  if (existsSync(wordsFolder)) problems.push(...brandTextProblems(wordsFolder))
  const existing = (name: string) => (existsSync(join(folder, name)) ? join(folder, name) : undefined)
  const sharePicture = existing('share.png')
  const problem = sharePicture && sharePictureProblem(sharePicture)
  if (problem) problems.push(`${sharePicture}: ${problem}`)
  return {
    ...read('brand.json', parseBrandJson),
    logo: read('logo.svg', parseLogo),
    themes: read('tokens.css', parseTokens),
    favicon: read('favicon.svg', (svg) => svg),
    typeface: existing('typeface.woff2'),
    sharePicture,
    wordsFolder: existing('words'),
  }
}

function readDrawings(
  folder: string,
  tokens: readonly string[],
  report: (problem: string) => void,
): Drawings {
  const inside = join(folder, 'drawings')
  const files = existsSync(inside) ? readdirSync(inside).sort() : []
  const drawings: Partial<Record<DrawingName, Logo>> = {}
  for (const file of files) {
    const reportHere = (problem: string) => report(`drawings/${file}: ${problem}`)
    const name = drawingNames.find((known) => `${known}.svg` === file)
    const drawing = name && parseDrawing(readFileSync(join(inside, file), 'utf8'), tokens, reportHere)
    if (!name) reportHere(`must be left out: drawings are ${drawingNames.join(', ')}`)
    else if (drawing) drawings[name] = drawing
  }
  return drawings
}

/** The size that pages announce for the picture of shared links. */
const SHARE_SIZE = { width: 1200, height: 630 }
const PNG_START = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1')

/** Reads a PNG file's first chunk, which has its size, and looks for its last: https://www.w3.org/TR/png-3/#5Chunk-layout */
function sharePictureProblem(file: string): string | undefined {
  const rule = `it must be a PNG picture of ${SHARE_SIZE.width} × ${SHARE_SIZE.height} pixels`
  if (!statSync(file).isFile()) return rule
  const bytes = readFileSync(file)
  const size = PNG_START.length
  const isWhole = bytes.indexOf(PNG_START) === 0 && bytes.indexOf('IEND', size) > 0
  if (!isWhole) return rule
  const [width, height] = [bytes.readUInt32BE(size), bytes.readUInt32BE(size + 4)]
  if (width === SHARE_SIZE.width && height === SHARE_SIZE.height) return undefined
  return `${rule}, and it has ${width} × ${height}`
}

function parseBrandJson(text: string, report: (problem: string) => void): z.output<typeof brandJson> {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    report(`it is not JSON: ${(error as Error).message}`)
    return {}
  }
  const { data = {}, error } = brandJson.safeParse(json)
  for (const { path, message, ...issue } of error?.issues ?? []) {
    const keys = 'keys' in issue ? issue.keys : []
    for (const key of keys.length > 0 ? keys : [undefined])
      report(`${[...path, key].filter((part) => part !== undefined).join('.') || 'it'} ${message}`)
  }
  return data
}
