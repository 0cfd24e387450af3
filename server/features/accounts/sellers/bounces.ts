import { timingSafeEqual } from 'node:crypto'
import { and, isNull } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { type mailBounce, mailBounceRoutes as routes } from '#contract/mail-bounces.ts'
import type { Context } from '#server/context.ts'
import { notFound, Refusal } from '#server/http/refusal.ts'
import type { Serve } from '#server/http/serve.ts'
import type { Database } from '#server/platform/database/pool.ts'
import { sameText } from '#server/platform/database/queries.ts'
import { users } from '#server/platform/database/schema.ts'
import { hashToken } from '../sessions/cookies.ts'

/** Takes reports about undelivered mail from the mail provider. Without a secret, there is no such address. */
export function serveBounces(serve: Serve, { db }: Context, secret: string | undefined): void {
  serve(routes.reportBounce, async ({ body, request }) => {
    if (secret === undefined) throw notFound()
    if (!isSame(secretIn(request), secret))
      throw new Refusal('invalid_credentials', 'refusals.bounce_secret_wrong')
    await markAddress(db, body)
    // The same for an unknown address, which may be a visitor's.
    return { message: request.words('done.bounce_recorded') }
  })
}

function secretIn({ headers }: FastifyRequest): string {
  const given = headers['x-bounce-secret']
  if (typeof given === 'string') return given
  const [, basic = ''] = /^basic +(\S+)$/i.exec(headers.authorization ?? '') ?? []
  return /:(.*)$/s.exec(Buffer.from(basic, 'base64').toString())?.[1] ?? ''
}

/** Compares hashes, because `timingSafeEqual` needs equal lengths. */
const isSame = (given: string, secret: string): boolean =>
  timingSafeEqual(Buffer.from(hashToken(given)), Buffer.from(hashToken(secret)))

async function markAddress(
  db: Database,
  { recipient, kind, reason }: z.output<typeof mailBounce>,
): Promise<void> {
  await db
    .update(users)
    .set({ bounce: { email: recipient.toLowerCase(), kind, reason, at: new Date().toISOString() } })
    .where(and(sameText(users.email, recipient), isNull(users.deletedAt)))
}
