import { createHash } from 'node:crypto'

/**
 * The checksum of SQL statements. It does not depend on comments and on white space between tokens. Quoted text counts as it
 * is, also the comments in a function's body. Lexical rules: https://www.postgresql.org/docs/18/sql-syntax-lexical.html
 */
export function checksumOf(sql: string): string {
  return createHash('sha256').update(tokensOf(sql).join('\n')).digest('hex')
}

const SKIPPED = /[ \t\n\r\f\v]+|--[^\n\r]*/y
const TOKEN = new RegExp(
  [
    String.raw`[eE]'(?:[^'\\]|\\[^]|'')*'`,
    "(?:[bBnNxX]|[uU]&)?'(?:[^']|'')*'",
    '(?:[uU]&)?"(?:[^"]|"")*"',
    String.raw`\$(?<tag>(?:[A-Za-z_\x80-\uffff][\w\x80-\uffff]*)?)\$[^]*?\$\k<tag>\$`,
    String.raw`[\w\x80-\uffff][\w$\x80-\uffff]*`,
    String.raw`(?:(?!--|/\*)[-+*/<>=~!@#%^&|?\x60])+`,
    '[^]',
  ].join('|'),
  'y',
)

function tokensOf(sql: string): string[] {
  const tokens: string[] = []
  for (let at = 0; at < sql.length; ) {
    const skipped = endOfBlockComment(sql, at) ?? endOfMatch(SKIPPED, sql, at)
    const end = skipped ?? endOfMatch(TOKEN, sql, at) ?? sql.length
    if (skipped === undefined) tokens.push(sql.slice(at, end))
    at = end
  }
  return tokens
}

function endOfMatch(pattern: RegExp, sql: string, at: number): number | undefined {
  pattern.lastIndex = at
  return pattern.test(sql) ? pattern.lastIndex : undefined
}

/** Block comments can be nested. */
function endOfBlockComment(sql: string, at: number): number | undefined {
  if (!sql.startsWith('/*', at)) return undefined
  let depth = 0
  for (const { 0: edge, index } of sql.slice(at).matchAll(/\/\*|\*\//g)) {
    depth += edge === '/*' ? 1 : -1
    if (depth === 0) return at + index + 2
  }
  return undefined
}
