import { z } from 'zod'
import { route } from './route.ts'
import { done, email } from './values.ts'

export const MAX_BOUNCE_REASON = 200

/** Why mail to an address does not arrive. */
export const bounceKinds = ['bounce', 'complaint'] as const
export type BounceKind = (typeof bounceKinds)[number]

export const mailBounce = z.object({
  recipient: email('email_invalid'),
  kind: z.enum(bounceKinds).describe('`complaint`: the recipient marked our mail as spam'),
  reason: z
    .string()
    .max(10_000)
    .default('')
    // Providers repeat whole answers of mail servers.
    .transform((text) =>
      text
        .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
        .trim()
        .slice(0, MAX_BOUNCE_REASON),
    )
    .describe(`In the provider's words. Cut to ${MAX_BOUNCE_REASON} characters. Only staff see it`),
})

export const mailBounceRoutes = {
  reportBounce: route({
    method: 'POST',
    path: '/api/mail/bounces',
    summary:
      'For the mail provider: mail to a seller cannot be delivered. BOUNCE_SECRET is the header `X-Bounce-Secret` or the password of basic authentication',
    access: 'anyone',
    limit: 'write',
    refuses: ['not_found', 'invalid_credentials'],
    body: mailBounce,
    answers: { 200: done },
  }),
}
