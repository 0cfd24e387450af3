import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { allowInline, inlineHashes } from './documents.ts'

const SITE = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'"
const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

describe('the policy of a page', () => {
  it('allows the inline scripts and styles of the page', () => {
    const page =
      "<script>let a\n</script><script type='module'>let c</script><style>p {}</style><script src='/a.js'></script><p>let b</p>"
    expect(allowInline(SITE, inlineHashes(page))).toBe(
      `default-src 'none'; script-src 'self' ${hash('let a\n')} ${hash('let c')}; style-src 'self' ${hash('p {}')}; img-src 'self'`,
    )
  })

  it("is the site's policy if the page has no inline scripts or styles", () => {
    expect(allowInline(SITE, inlineHashes('<p>&lt;script>let a&lt;/script></p>'))).toBe(SITE)
  })
})
