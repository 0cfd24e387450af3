import type { Translate } from './translate.ts'

/** The order matters: most browsers also name the ones listed after them. */
const browsers = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
] as const

const devices = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'Mac'],
  [/\bCrOS\b/, 'Chromebook'],
  [/\bLinux\b/, 'Linux'],
] as const

/** For example "Chrome on Windows", from a User-Agent header. */
export function browserName(userAgent: string | null, t: Translate): string {
  const found = (names: readonly (readonly [RegExp, string])[]) =>
    names.find(([sign]) => sign.test(userAgent ?? ''))?.[1]
  const browser = found(browsers)
  const device = found(devices)
  if (browser && device) return t('profile.sessions.browser', { browser, device })
  return browser ?? device ?? t('profile.sessions.unknownBrowser')
}
