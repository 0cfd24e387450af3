import { readFileSync } from 'node:fs'

/** What a brand sets its texts and headings in. */
export interface Type {
  /** Values of `font-family`. */
  readonly text: string
  readonly headings: string
  /** The path of a WOFF2 file. Undefined if the families are of the device. */
  readonly file: string | undefined
}

/** The family that the brand's own file has in style sheets. */
export const OWN_FAMILY = 'Typeface'

/** Pages preload it, so it must be small. */
const MAX_TYPEFACE_BYTES = 64_000

/** Without stacks, everything is set in the file. Undefined without either. */
export function typeOf(
  file: string | undefined,
  stacks: { text?: string | undefined; headings?: string | undefined } | undefined,
  report: (problem: string) => void,
): Type | undefined {
  if (file === undefined && stacks === undefined) return undefined
  const { text = file ? 'typeface, sans-serif' : 'sans-serif', headings = text } = stacks ?? {}
  const usesFile = [text, headings].some((stack) => familiesOf(stack).includes('typeface'))
  if (usesFile && file === undefined) report('brand.json: type needs the file typeface.woff2')
  if (!usesFile && file !== undefined) report('typeface.woff2: type in brand.json does not name typeface')
  const problem = file && fileProblem(file)
  if (problem) report(`typeface.woff2: ${problem}`)
  return { text: toFontFamily(text), headings: toFontFamily(headings), file }
}

/** https://www.w3.org/TR/WOFF2/#woff20Header */
function fileProblem(file: string): string | undefined {
  const bytes = readFileSync(file)
  if (bytes.toString('latin1', 0, 4) !== 'wOF2') return 'it must be a WOFF2 font'
  if (bytes.length > MAX_TYPEFACE_BYTES) return `it must have at most ${MAX_TYPEFACE_BYTES} bytes`
}

const familiesOf = (stack: string): string[] => stack.split(',').map((family) => family.trim())

const GENERIC = /^(serif|sans-serif|monospace|system-ui|ui-(serif|sans-serif|rounded|monospace))$/

function toFontFamily(stack: string): string {
  return familiesOf(stack)
    .map((family) => (GENERIC.test(family) ? family : `"${family === 'typeface' ? OWN_FAMILY : family}"`))
    .join(',')
}
