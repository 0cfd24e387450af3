import { createHash } from 'node:crypto'

/** Of what stands in a page itself: how a content security policy names it, like `'sha256-…'`. */
export interface InlineHashes {
  readonly script: readonly string[]
  readonly style: readonly string[]
}

/** @param html a page as it was built: nothing that anybody has written is in it */
export function inlineHashes(html: string): InlineHashes {
  const hashesOf = (name: string) =>
    [...html.matchAll(new RegExp(`<${name}(?![^>]*\\ssrc=)[^>]*>(.*?)</${name}>`, 'gs'))].map(
      ([, text = '']) => hashOf(text),
    )
  return { script: hashesOf('script'), style: hashesOf('style') }
}

/** The policy of the site, and beside what it allows what stands in this one page: by its hash, no other. */
export function allowInline(policy: string, { script, style }: InlineHashes): string {
  return policy
    .replace(/script-src [^;]+/, (allowed) => [allowed, ...script].join(' '))
    .replace(/style-src [^;]+/, (allowed) => [allowed, ...style].join(' '))
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}
