import type { Logger } from 'pino'
import { buildApp } from '#server/app.ts'
import type { Context } from '#server/context.ts'
import { Passwords } from '#server/features/accounts/credentials/passwords.ts'
import {
  createFirstAdministrator,
  type FirstAdministrator,
} from '#server/features/accounts/staff/administrators.ts'
import type { OidcSettings } from '#server/features/accounts/staff/oidc-provider.ts'
import { BRANDS_CHANNEL, Catalog } from '#server/features/brands/catalog.ts'
import { findPayoutStop } from '#server/features/payouts/payout-stop.ts'
import { hasBatchesWithProvider } from '#server/features/payouts/provider/advance.ts'
import { readCash } from '#server/features/payouts/provider/cash.ts'
import { convertEarlierReasons } from '#server/features/submissions/convert-earlier-reasons.ts'
import { recomputeIndexes } from '#server/features/submissions/recompute-indexes.ts'
import { WEBHOOKS_CHANNEL } from '#server/features/webhooks/actions.ts'
import { WebhookWorkers } from '#server/features/webhooks/workers.ts'
import { startHousekeeping } from '#server/housekeeping.ts'
import { createLimits, noLimits } from '#server/http/limits/limits.ts'
import type { Measured, Metrics } from '#server/http/metrics/metrics.ts'
import { builtWeb } from '#server/http/screens.ts'
import { jobHandlers } from '#server/job-handlers.ts'
import { BackupSchedule } from '#server/operator/backup/scheduled.ts'
import { bindStore } from '#server/operator/installation.ts'
import { type Config, unsetContacts } from '#server/platform/config/config.ts'
import { makeDataDir } from '#server/platform/config/data-dir.ts'
import { checkDurability } from '#server/platform/database/durability.ts'
import { startEmbedded } from '#server/platform/database/embedded.ts'
import { Listener } from '#server/platform/database/listener.ts'
import { migrate } from '#server/platform/database/migrate.ts'
import { hasEmbedded } from '#server/platform/database/open-database.ts'
import type { Connection } from '#server/platform/database/pool.ts'
import { createDatabase, createPool } from '#server/platform/database/pool.ts'
import { refuseUnfinishedRestore } from '#server/platform/database/unfinished-restore.ts'
import { JOBS_CHANNEL, WEBHOOK_LANES } from '#server/platform/jobs/jobs.ts'
import { JobWorker, type WorkerOptions } from '#server/platform/jobs/worker.ts'
import { closeInTime, listen } from '#server/platform/listening.ts'
import { LIVE_CHANNEL } from '#server/platform/live/publish.ts'
import { Sockets } from '#server/platform/live/sockets.ts'
import { createMailer } from '#server/platform/mail/mailer.ts'
import type { PayoutProvider } from '#server/platform/payout-provider/payout-provider.ts'
import { paypal } from '#server/platform/payout-provider/paypal.ts'
import { openStorage, storeName } from '#server/platform/photos/open-storage.ts'
import { PhotoDecoder } from '#server/platform/photos/photo-decoder.ts'
import { loadPushKey } from '#server/platform/push/push-key.ts'
import { createPushSender } from '#server/platform/push/push-sender.ts'
import { makeFirstKeys, rememberKeys } from '#server/platform/vault/key-check.ts'
import { findKeys, KEYS_CHANNEL } from '#server/platform/vault/keys.ts'
import { readWords } from '#words/catalogs.ts'

export interface Running {
  readonly url: string
  /** Stops the parts in reverse order: no new requests, the ones in progress, the sockets, the database. */
  readonly stop: () => Promise<void>
}

export interface StartOptions {
  readonly log: Logger
  /** Every page shows that this is a demo. */
  readonly isDemo?: boolean
  /** The embedded database has died; the process should exit. */
  readonly onLost: (error: Error) => void
  /** Shows the operator the first administrator of a new installation, before the account can be used. */
  readonly announce: (first: FirstAdministrator, url: string) => void
  /** Cancels an unfinished start, which then rejects. Has no effect once it has finished. */
  readonly signal: AbortSignal
}

/** Balance connectors that are asked at once. One may take 20 seconds to fail. */
const BALANCE_WORKERS = 4

/** Starts the whole product. If one part fails, the parts already started are stopped again. */
export async function start(config: Config, options: StartOptions): Promise<Running> {
  const parts = new AsyncDisposableStack()
  try {
    const url = await startParts(config, options, parts)
    return { url, stop: () => parts.disposeAsync() }
  } catch (error) {
    // Reports the cause, not what then failed to stop because of it.
    await parts
      .disposeAsync()
      .catch((err) => options.log.warn({ err }, 'a part did not stop after a failed start'))
    throw error
  }
}

/** Adds every part it starts to `parts`. Returns the address of the site. */
async function startParts(
  config: Config,
  { log, onLost, announce, isDemo = false, signal }: StartOptions,
  parts: AsyncDisposableStack,
): Promise<string> {
  // Before the keys in it are read, whose error would not name the setting.
  if (!config.databaseUrl && !hasEmbedded(config.dataDir)) await makeDataDir(config.dataDir)
  await startTraces(config, log, parts)
  // Reports bad keys before waiting for a database.
  const foundKeys = await findKeys(config)
  const connection = config.databaseUrl ?? (await startOwnDatabase(config.dataDir, { log, onLost }, parts))
  // PostgreSQL stops next and may close connections that the ending pool has not finished closing.
  const onError = (err: Error) => void (pool.ending || log.warn({ err }, 'database connection lost'))
  const pool = createPool({ connection, timeZone: config.timeZone, onError, signal })
  parts.defer(() => pool.end())
  await checkDurability(pool)
  const onUpgrade = () =>
    log.info('upgrading the database, which may take minutes. If it is interrupted, the next start continues')
  await migrate(pool, { onUpgrade })
  const db = createDatabase(pool)
  const keys = foundKeys ?? (await makeFirstKeys(db, config))
  await rememberKeys(db, keys)
  const photos = await openStorage(config.storage, signal)
  await bindStore(db, { photos, store: storeName(config.storage), signal })
  const words = readWords({ product: config.brand.name, folder: config.brand.wordsFolder })
  const converted = await convertEarlierReasons({ db, keys, log, words })
  if (converted > 0) log.info({ converted }, 'converted status reasons of an earlier version')
  const recomputed = await recomputeIndexes({ db, keys, log })
  if (recomputed > 0) log.info({ recomputed }, 'recomputed the indexes of card numbers and payout accounts')

  const decoder = new PhotoDecoder()
  parts.defer(async () => decoder.close())
  const context: Context = {
    db,
    keys,
    catalog: new Catalog(db),
    passwords: new Passwords(),
    photos,
    decoder,
    log,
    site: siteOf(config, isDemo),
    words,
    payoutProvider: payoutProviderOf(config),
  }
  const sockets = new Sockets()
  const traffic = { atOnce: 0, turnedAway: 0 }
  const backups = new BackupSchedule(config, log)
  const metrics = await startMetrics(
    config,
    { context, sockets, traffic, backups, ...(context.payoutProvider && { cash: () => readCash(context) }) },
    parts,
  )
  const mailer = createMailer(config, context.site)
  const push = createPushSender(await loadPushKey(config), config.pushServices ?? [], context.site)
  const jobs = {
    db: context.db,
    log,
    handlers: jobHandlers(context, mailer, push),
    ...(metrics && { onFailure: metrics.jobFailed }),
  } satisfies WorkerOptions
  const balances = Array<'balances'>(BALANCE_WORKERS).fill('balances')
  const lanes = ['pushes', ...balances, 'payouts', 'everything else'] as const
  const workers = lanes.map((lane) => new JobWorker({ ...jobs, lane }))
  const webhooks = new WebhookWorkers(jobs)
  const listener = new Listener({
    connection: typeof connection === 'string' ? { connectionString: connection } : connection,
    channels: {
      [LIVE_CHANNEL]: (payload) => sockets.handle(JSON.parse(payload)),
      // Without a lane, if jobs of both were restarted, or an earlier version enqueued them.
      [JOBS_CHANNEL]: (lane) => {
        for (const worker of workers) if (!lane || worker.lane === lane) worker.wake()
        if (!lane || lane === WEBHOOK_LANES) webhooks.wake()
      },
      [BRANDS_CHANNEL]: () => context.catalog.forget(),
      [WEBHOOKS_CHANNEL]: () => void webhooks.refresh(),
      [KEYS_CHANNEL]: () => keys.reread?.(),
    },
    // Notifications may have been lost. Clients read everything again when they reconnect.
    onGap: () => {
      log.warn('listener is connected again; clients reconnect and fetch everything')
      context.catalog.forget()
      void webhooks.refresh()
      keys.reread?.()
      sockets.closeAll()
    },
    onError: (err, problem) => log.warn({ err }, problem),
  })
  await listener.start()
  parts.defer(() => listener.close())

  const limits = config.rateLimits ? createLimits(pool) : noLimits
  const health = { isStarted: false, folders: foldersOf(config) }
  const app = await buildApp({
    context,
    health,
    limits,
    sockets,
    operation: { config, mailer, backups },
    trustProxy: config.trustProxy,
    push,
    oidc: oidcSettings(config),
    bounceSecret: config.bounceSecret,
    web: builtWeb,
    staffSessions: { hours: config.staffSessionHours, idleMinutes: config.staffIdleMinutes },
    traffic,
    ...(metrics && { observe: metrics.observe }),
  })
  parts.defer(() => closeInTime(app, () => sockets.cutAll()))
  parts.defer(async () => sockets.stop())
  const url = await listen(app, config)
  if (!config.publicUrl) context.site.publicUrl = url
  // Links in emails need the address, so jobs start only now.
  for (const worker of workers) {
    worker.start()
    parts.defer(() => worker.stop())
  }
  parts.defer(() => webhooks.stop())
  await webhooks.refresh()
  parts.defer(startHousekeeping(context, config))
  if (config.backupTo) {
    backups.start()
    parts.defer(() => backups.stop())
  }
  await createFirstAdministrator(
    context,
    { username: config.adminUsername, password: config.adminPassword },
    (first) => announce(first, context.site.publicUrl),
  )
  warnOfUnsetContacts(context)
  if (await findPayoutStop(db))
    log.warn(
      'payouts are stopped, because a backup was restored: record what was sent since, then ./unspent admin payouts resume',
    )
  if (!context.payoutProvider && (await hasBatchesWithProvider(db)))
    log.warn('PAYOUT_PROVIDER is unset, but a provider has batches: set it again until they are settled')
  if (process.geteuid?.() === 0 && !isDemo)
    log.warn('running as root: a fault in the server would give away the whole machine; use a separate user')
  signal.throwIfAborted()
  health.isStarted = true
  return context.site.publicUrl
}

function oidcSettings(config: Config): OidcSettings | undefined {
  const { oidcIssuer: issuer, oidcClientId: clientId, oidcClientSecret: clientSecret } = config
  if (!issuer || !clientId || !clientSecret) return undefined
  const name = config.oidcName ?? new URL(issuer).hostname
  return { issuer, clientId, clientSecret, name, trustMfa: config.oidcTrustMfa }
}

function payoutProviderOf(config: Config): PayoutProvider | undefined {
  const { payoutProvider, paypalClientId: clientId, paypalClientSecret: clientSecret } = config
  const { paypalEnvironment: environment, paypalWebhookId: webhookId } = config
  if (!payoutProvider || !clientId || !clientSecret || !environment) return undefined
  return paypal({ clientId, clientSecret, environment, webhookId })
}

/** The folders that the server writes to. With an external database and a bucket, no disk of this machine matters. */
function foldersOf({ databaseUrl, dataDir, storage }: Config): string[] {
  return [...(databaseUrl ? [] : [dataDir]), ...(storage.kind === 'file' ? [storage.folder] : [])]
}

function warnOfUnsetContacts({ log, site: { unsetContacts = [] } }: Context): void {
  if (unsetContacts.length === 0) return
  log.warn(
    `not set: ${unsetContacts.join(', ')}. Until then pages and emails link to the contact form instead.`,
  )
}

/** Starts the embedded PostgreSQL in the data folder. Returns how to connect to it. */
async function startOwnDatabase(
  dataDir: string,
  { log, onLost }: Pick<StartOptions, 'log' | 'onLost'>,
  parts: AsyncDisposableStack,
): Promise<Connection> {
  await refuseUnfinishedRestore(dataDir)
  const embedded = await startEmbedded({
    dataDir,
    log: (level, message) => log[level]({ part: 'postgresql' }, message),
    onLost,
  })
  parts.defer(embedded.stop)
  return embedded.connection
}

/** Loads OpenTelemetry only if there is a collector for its traces. */
async function startTraces(config: Config, log: Logger, parts: AsyncDisposableStack): Promise<void> {
  if (config.otelEndpoint === undefined) return
  const { startTracing } = await import('#server/platform/tracing.ts')
  parts.defer(startTracing(config, log))
}

/** Loads the metrics code only if a port is set for it. */
async function startMetrics(
  { metricsHost, metricsPort }: Config,
  measured: Measured,
  parts: AsyncDisposableStack,
): Promise<Metrics | undefined> {
  if (metricsPort === undefined) return undefined
  const { listenForMetrics, Metrics } = await import('#server/http/metrics/metrics.ts')
  const metrics = new Metrics(measured)
  const app = await listenForMetrics(metrics, { host: metricsHost, port: metricsPort })
  parts.defer(() => app.close())
  return metrics
}

function siteOf(config: Config, isDemo: boolean): Context['site'] {
  const { publicUrl, mailReplyTo } = config
  return {
    isDemo,
    productName: config.brand.name,
    company: config.brand.company,
    themes: config.brand.themes,
    claims: config.brand.claims,
    openingHours: config.brand.openingHours,
    payoutMethods: config.brand.payoutMethods,
    balanceCheckAbove: config.balanceCheckAbove,
    taxFormThreshold: config.taxFormThreshold,
    publicUrl: publicUrl ?? '',
    replyTo: mailReplyTo ?? config.brand.support.email,
    supportEmail: config.brand.support.email,
    unsetContacts: isDemo ? [] : unsetContacts(config),
    allowedOrigin: publicUrl,
    https: publicUrl?.startsWith('https:') ?? false,
    hstsSubdomains: config.hstsSubdomains,
    serviceWorker: config.serviceWorker,
    requireTotp: config.requireTotp,
    webhooksAllowPrivate: config.webhooksAllowPrivate,
    timeZone: config.timeZone,
    payouts: {
      manual: config.manualPayouts,
      alwaysTwoPersons: config.twoPersonRelease,
      netReceivables: config.netReceivables,
      prenotes: config.nachaPrenotes,
      limits: {
        perPayout: config.payoutLimit,
        perBatch: config.payoutLimitPerBatch,
        perDay: config.payoutLimitPerDay,
        secondApprovalAbove: config.secondApprovalAbove,
      },
      nacha: {
        destination: config.nachaDestination,
        destinationName: config.nachaDestinationName,
        origin: config.nachaOrigin,
        companyName: config.nachaCompanyName,
        companyId: config.nachaCompanyId,
        entryDescription: config.nachaEntryDescription,
        odfi: config.nachaOdfi ?? config.nachaDestination?.slice(0, 8),
        cutoff: config.nachaCutoff,
        sameDayCutoff: config.nachaSameDayCutoff,
      },
    },
    adminUsernames: new Set(config.adminUsernames),
  }
}
