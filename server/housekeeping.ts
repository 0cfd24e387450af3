import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '#server/context.ts'
import { deleteExpiredChallenges } from '#server/features/accounts/credentials/challenges.ts'
import { deleteOldBrowsers } from '#server/features/accounts/credentials/known-browsers.ts'
import { deleteOldLinks } from '#server/features/accounts/sellers/mailed-links.ts'
import { deleteExpiredSessions } from '#server/features/accounts/sessions/sessions.ts'
import { deleteOldInvitations } from '#server/features/accounts/staff/invitations.ts'
import { sumUpLedger } from '#server/features/books/ledger.ts'
import { eraseOldPhotos } from '#server/features/chat/photos.ts'
import { deleteExpiredExports } from '#server/features/inventory/codes.ts'
import { closeUnsent } from '#server/features/payouts/outcome.ts'
import { advanceBatches } from '#server/features/payouts/provider/advance.ts'
import { eraseOldSecrets } from '#server/features/submissions/erase.ts'
import { expireOffers } from '#server/features/submissions/expire.ts'
import { deleteOldDeliveries } from '#server/features/webhooks/actions.ts'
import { deleteOldCounts } from '#server/http/limits/shared-limiter.ts'
import { readClock } from '#server/platform/database/clock.ts'
import { deleteOldJobs } from '#server/platform/jobs/jobs.ts'
import { collectPhotos } from '#server/platform/photos/intents.ts'

/** Until a released batch is sent. */
const SENDING_MS = 5_000
const MINUTE_MS = 60 * 1000
const HOUR_MS = 60 * MINUTE_MS
/** Any submission has committed or failed long before its photos are this old. */
const UNCONFIRMED_PHOTO_MS = 24 * HOUR_MS

interface Options {
  /** Days from the final status of a submission until its secrets are erased. */
  readonly eraseAfterDays: number
}

/**
 * Cleans up every hour. Every server does, which is harmless.
 *
 * @returns a function that stops it after the current batch
 */
export function startHousekeeping(context: Context, options: Options): () => Promise<void> {
  const stopping = new AbortController()
  const { signal } = stopping
  // Right away, for servers that are restarted often.
  const hourly = tidy(context, options, signal).then(() =>
    repeat(HOUR_MS, signal, () => tidy(context, options, signal)),
  )
  const minutely = repeat(MINUTE_MS, signal, async () => {
    // The open sockets of a session end with it.
    await deleteExpiredSessions(context.db).catch((err) =>
      context.log.warn({ err }, 'cannot delete expired sessions; it tries again in a minute'),
    )
    await expireOffers(context, signal).catch((err) =>
      context.log.warn({ err }, 'cannot end expired offers; it tries again in a minute'),
    )
    await closeUnsent(context, signal).catch((err) =>
      context.log.warn({ err }, 'cannot close payouts that send nothing; it tries again in a minute'),
    )
  })
  const sending =
    context.payoutProvider &&
    repeat(SENDING_MS, signal, () =>
      advanceBatches(context, signal).catch((err) =>
        context.log.warn({ err }, 'cannot send batches; it tries again in seconds'),
      ),
    )
  return async () => {
    stopping.abort()
    await Promise.all([hourly, minutely, sending])
  }
}

/** Pauses before each time. Never two at once: a million photos in a slow store may take longer than an hour. */
async function repeat(pauseMs: number, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  for (;;) {
    await sleep(pauseMs, undefined, { signal, ref: false }).catch(() => undefined)
    if (signal.aborted) return
    await work()
  }
}

/** Runs every step once. Logs failures and continues. */
export async function tidy(
  context: Context,
  { eraseAfterDays }: Options,
  signal = new AbortController().signal,
): Promise<void> {
  const { db, photos, log } = context
  const steps = {
    sessions: () => deleteExpiredSessions(db),
    offers: async () => {
      await expireOffers(context, signal)
    },
    jobs: () => deleteOldJobs(db),
    webhooks: () => deleteOldDeliveries(db),
    links: () => deleteOldLinks(db),
    invitations: () => deleteOldInvitations(db),
    browsers: () => deleteOldBrowsers(db),
    challenges: () => deleteExpiredChallenges(db),
    codeExports: () => deleteExpiredExports(db),
    secrets: async () => {
      const erased = await eraseOldSecrets(context, eraseAfterDays, signal)
      if (erased > 0) log.info({ erased }, 'erased secrets of old submissions')
    },
    chatPhotos: async () => {
      const erased = await eraseOldPhotos(context, eraseAfterDays, signal)
      if (erased > 0) log.info({ erased }, 'erased photos of old chat messages')
    },
    ledger: () => sumUpLedger(db),
    limits: () => deleteOldCounts(db),
    photos: async () => {
      const before = new Date((await readClock(db))() - UNCONFIRMED_PHOTO_MS)
      const removed = await collectPhotos({ db, photos, before, signal })
      if (removed > 0) log.info({ removed }, 'removed photos without a submission or message')
    },
  }
  for (const [step, tidyUp] of Object.entries(steps)) {
    if (signal.aborted) return
    try {
      await tidyUp()
    } catch (err) {
      log.warn({ err, step }, 'housekeeping failed; it tries again in an hour')
    }
  }
}
