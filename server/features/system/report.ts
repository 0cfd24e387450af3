import { sql } from 'drizzle-orm'
import type { SystemReportAnswer } from '#contract/system.ts'
import type { Context } from '#server/context.ts'
import { hasSecondFactor } from '#server/features/accounts/sessions/queries.ts'
import { countFailing, readCash } from '#server/features/payouts/actions.ts'
import { findPayoutStop } from '#server/features/payouts/payout-stop.ts'
import { findPolicyStop } from '#server/features/submissions/policies/actions.ts'
import type { Database } from '#server/platform/database/pool.ts'
import { onlyRow } from '#server/platform/database/queries.ts'
import { installation } from '#server/platform/database/schema.ts'
import { countJobs, errorCodeOf, isDiscardable, listGivenUp } from '#server/platform/jobs/jobs.ts'
import type { Mailer } from '#server/platform/mail/mailer.ts'
import { storeName } from '#server/platform/photos/open-storage.ts'
import manifest from '../../../package.json' with { type: 'json' }
import { findingsOf, type Operation } from './findings.ts'

const SHOWN_JOBS = 50
/** A silent store or mail server must not hold up the rest. */
const PROBE_MS = 5_000

/** The state of each part, and what an owner should look at. */
export async function readReport(
  context: Context,
  { config, mailer, backups }: Operation,
): Promise<SystemReportAnswer> {
  const { db, site } = context
  const [database, reachable, mailError, counts, givenUp, staff, stop, policyStop, provider, paysAtOnce] =
    await Promise.all([
      readDatabase(db),
      isOwnStore(context),
      checkMail(mailer),
      countJobs(db),
      listGivenUp(db, SHOWN_JOBS),
      countStaff(db),
      findPayoutStop(db),
      findPolicyStop(db),
      context.payoutProvider ? readProvider(context) : null,
      site.payouts.alwaysTwoPersons && hasPolicyThatPays(db),
    ])
  const parts = {
    version: manifest.version,
    startedAt: new Date(Date.now() - process.uptime() * 1000),
    database: { ...database, embedded: config.databaseUrl === undefined },
    photos: {
      kind: config.storage.kind === 's3' ? 'bucket' : 'folder',
      name: storeName(config.storage),
      reachable,
    },
    mail: {
      smtp: config.smtpUrl !== undefined,
      error: mailError,
      waiting: counts.waiting,
      lateSeconds: counts.lateSeconds,
    },
    backups: {
      to: config.backupTo ? storeName(config.backupTo) : null,
      newestAt: backups.newestAt ?? null,
      everyHours: config.backupEveryHours,
    },
    jobs: {
      total: givenUp.total,
      newest: givenUp.jobs.map(({ id, kind, attempts, failedAt, lastError }) => ({
        id,
        kind,
        attempts,
        failedAt,
        error: errorCodeOf(lastError ?? ''),
        discardable: isDiscardable(kind),
      })),
    },
  } satisfies Omit<SystemReportAnswer, 'findings'>
  const findings = findingsOf({
    ...parts,
    config,
    staff,
    unsetContacts: site.unsetContacts ?? [],
    payoutsStopped: stop !== undefined,
    policiesStopped: policyStop !== undefined,
    provider,
    automaticPayoutsBlocked: paysAtOnce,
    isRoot: process.geteuid?.() === 0 && !site.isDemo,
  })
  return { findings, ...parts }
}

async function readDatabase(db: Database) {
  const { rows } = await db.execute<{ version: string; bytes: number; migration: string }>(sql`
    select current_setting('server_version') as version,
      pg_database_size(current_database())::float8 as bytes,
      (select max(name) from migrations) as migration`)
  return onlyRow(rows)
}

/** Whether a policy is on that pays at once. */
async function hasPolicyThatPays(db: Database): Promise<boolean> {
  const { rows } = await db.execute(sql`
    select from policies where mode = 'on' and pays_at_once
      and version = (select max(version) from policies newest where newest.id = policies.id) limit 1`)
  return rows.length > 0
}

async function readProvider(context: Context) {
  const [{ problem }, failing] = await Promise.all([readCash(context), countFailing(context.db)])
  return { problem, failing }
}

/** Whether the photo store answers and has the mark of this installation, which every start checks too. */
async function isOwnStore({ db, photos }: Context): Promise<boolean> {
  const [[known], mark] = await Promise.all([
    db.select({ id: installation.id }).from(installation),
    photos.readMark(AbortSignal.timeout(PROBE_MS)).catch(() => undefined),
  ])
  return known !== undefined && known.id === mark
}

/** Why mail cannot be sent now. Null if it can, or if mails become files. */
async function checkMail(mailer: Mailer): Promise<string | null> {
  try {
    await mailer.check?.(PROBE_MS)
    return null
  } catch (error) {
    return errorCodeOf(error)
  }
}

async function countStaff(db: Database) {
  const { rows } = await db.execute<{ owners: number; withoutSecondFactor: number }>(sql`
    select count(*) filter (where role = 'owner')::int as owners,
      count(*) filter (where not ${hasSecondFactor})::int as "withoutSecondFactor"
    from administrators where disabled_at is null`)
  return onlyRow(rows)
}
