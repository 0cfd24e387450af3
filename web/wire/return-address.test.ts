import { describe, expect, it } from 'vitest'
import { sameSitePath } from './return-address.ts'

const site = 'https://unspent.example'

describe('sameSitePath', () => {
  it.each([
    ['/sell-card?brand=amazon&value=100&quote=93', '/sell-card?brand=amazon&value=100&quote=93'],
    ['/faq#fees', '/faq#fees'],
    [`${site}/profile`, '/profile'],
    ['/a/../transactions', '/transactions'],
    // With the same scheme, the parser reads it as a path.
    ['https:/evil.example', '/evil.example'],
  ])('follows %s', (address, path) => {
    expect(sameSitePath(address, site)).toBe(path)
  })

  it.each([
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example/',
    '\\\\evil.example/',
    '/\t/evil.example/',
    ' https://evil.example/',
    'https://unspent.example.evil.example/',
    'https://unspent.example@evil.example/',
    'http://unspent.example/',
    'https://unspent.example:8443/',
    'javascript:alert(1)',
    'java\tscript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'blob:https://evil.example/1',
    'http:evil.example',
    '//user@evil.example/',
    'about:blank',
    '/.//evil.example/',
    '/a/..//evil.example/',
    'https://',
  ])('refuses %j, which leads to another site', (address) => {
    expect(sameSitePath(address, site)).toBeUndefined()
  })

  it.each(['/login', '/es/login', '/register?next=/', `${site}/login`])(
    'refuses %s, which would lead back to the sign-in page',
    (address) => {
      expect(sameSitePath(address, site)).toBeUndefined()
    },
  )
})
