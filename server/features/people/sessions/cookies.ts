import type { Site } from '#server/platform/config/site.ts'

/** The prefix makes browsers refuse the cookie from anywhere but this very host over https. */
export function cookieName({ https }: Site, name: string): string {
  return https ? `__Host-${name}` : name
}

/** For cookies that scripts don't read and other sites don't send. */
export function cookieAttributes({ https }: Site) {
  return { path: '/', httpOnly: true, sameSite: 'strict', secure: https } as const
}

/** As long as browsers keep a cookie at most. */
export const LONGEST_COOKIE_SECONDS = 400 * 24 * 3600
