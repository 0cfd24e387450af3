import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { type Brand, readBrand } from '#brand/brand.ts'
import { refusalsOf } from '#contract/route.ts'
import type { Role } from '#domain/roles.ts'
import { buildApp } from '#server/app.ts'
import type { Context } from '#server/context.ts'
import { Passwords } from '#server/features/accounts/credentials/passwords.ts'
import {
  createAdministrator,
  createFirstAdministrator,
} from '#server/features/accounts/staff/administrators.ts'
import type { OidcSettings } from '#server/features/accounts/staff/oidc-provider.ts'
import { BRANDS_CHANNEL, Catalog } from '#server/features/brands/catalog.ts'
import type { Operation } from '#server/features/system/findings.ts'
import type { ArrivalLimits } from '#server/http/arrival.ts'
import type { Health } from '#server/http/health.ts'
import { createLimits, noLimits } from '#server/http/limits/limits.ts'
import type { Observe } from '#server/http/trace-requests.ts'
import { readConfig } from '#server/platform/config/config.ts'
import { Listener } from '#server/platform/database/listener.ts'
import { administrators } from '#server/platform/database/schema.ts'
import { LIVE_CHANNEL } from '#server/platform/live/publish.ts'
import { Sockets } from '#server/platform/live/sockets.ts'
import { createLog } from '#server/platform/log.ts'
import { createMailer } from '#server/platform/mail/mailer.ts'
import type { PayoutProvider } from '#server/platform/payout-provider/payout-provider.ts'
import { FolderStorage } from '#server/platform/photos/folder-storage.ts'
import { PhotoDecoder } from '#server/platform/photos/photo-decoder.ts'
import type { PhotoStorage } from '#server/platform/photos/storage.ts'
import { loadPushKey } from '#server/platform/push/push-key.ts'
import { createPushSender, type PushSender } from '#server/platform/push/push-sender.ts'
import { parseKeys } from '#server/platform/vault/key-ring.ts'
import { readWords } from '#words/catalogs.ts'
import { afterwards } from './afterwards.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { testBank } from './nacha/bank.ts'
import { ADMIN_PASSWORD } from './people.ts'
import { Person } from './person.ts'
import { registered, signedInStaff } from './signed-in.ts'

export interface TestApp extends TestDatabase {
  readonly app: FastifyInstance
  readonly context: Context
  readonly push: PushSender
  /** The folder of its photos. */
  readonly folder: string
  /** A new browser without a session. */
  visitor(): Person
  /** A newly registered seller. */
  seller(name?: string): Promise<Person>
  /** The signed-in administrator `admin`, or another one, created with the role (owner by default) if needed. */
  staff(name?: string, role?: Role): Promise<Person>
  /** Starts listening, for what cannot be injected. Returns the address. */
  listen(): Promise<string>
}

interface Options {
  limits?: boolean
  /** In the app's own folder by default. */
  photos?: PhotoStorage
  arrival?: ArrivalLimits
  /** Live sockets per person. */
  maxSockets?: number
  /** The default brand by default. */
  brand?: Brand
  /** Whether staff need a second factor. */
  requireTotp?: boolean
  /** Settings that differ from the defaults. */
  site?: Partial<Context['site']>
  /** Origins of push services besides the known ones. */
  pushServices?: readonly string[]
  /** What `/readyz` looks at besides the database. */
  health?: Health
  /** What the mail provider sends with its reports. None by default. */
  bounceSecret?: string
  /** Who sends batches of PayPal and Venmo. None by default. */
  payoutProvider?: PayoutProvider
  /** The provider through which staff can sign in. None by default. */
  oidc?: OidcSettings
  /** How the process runs: with the default settings, mail to files and no backup by default. */
  operation?: Partial<Operation>
  /** Nothing is logged by default. */
  log?: Context['log']
  /** The folder of the built web app. None by default. */
  web?: string
}

/** The whole server with its own database and folder, which are removed after the tests of the file. */
export async function createTestApp({
  limits = false,
  photos,
  arrival,
  maxSockets,
  brand = defaultBrand,
  requireTotp = false,
  site,
  pushServices = [],
  health,
  operation,
  oidc,
  bounceSecret,
  log,
  payoutProvider,
  web,
}: Options = {}): Promise<TestApp> {
  const database = await createTestDatabase(undefined, { timeZone: site?.timeZone })
  const folder = await mkdtemp(join(tmpdir(), 'unspent-test-app-'))
  const context = {
    ...createContext(database, folder, { photos, brand, requireTotp, site, log }),
    ...(payoutProvider && { payoutProvider }),
  }
  await createFirstAdministrator(context, { username: 'admin', password: ADMIN_PASSWORD }, () => {})
  const push = createPushSender(await loadPushKey({ dataDir: folder }), pushServices, context.site)
  const sockets = new Sockets(maxSockets)
  const listener = new Listener({
    connection: { connectionString: database.url },
    channels: {
      [LIVE_CHANNEL]: (payload) => sockets.handle(JSON.parse(payload)),
      [BRANDS_CHANNEL]: () => context.catalog.forget(),
    },
    onGap: () => {},
    onError: () => {},
  })
  await listener.start()
  const app = await buildApp({
    context,
    limits: limits ? createLimits(database.pool) : noLimits,
    sockets,
    trustProxy: false,
    observe: refuseUndeclared,
    push,
    oidc,
    bounceSecret,
    operation: {
      config: readConfig({ DATA_DIR: folder }),
      mailer: createMailer({ dataDir: folder }, context.site),
      backups: { newestAt: undefined },
      ...operation,
    },
    ...(health && { health }),
    ...(web && { web }),
    ...(arrival && { arrival }),
  })
  await app.ready()
  let url: string | undefined
  afterwards(async () => {
    sockets.stop()
    await app.close()
    await listener.close()
    context.decoder.close()
    await rm(folder, { recursive: true, force: true })
  })
  const visitor = () => new Person(app)
  return {
    ...database,
    app,
    context,
    push,
    folder,
    visitor,
    seller: (name) => registered(visitor(), name),
    async staff(name = 'admin', role = 'owner') {
      const known = await context.db.$count(administrators, eq(administrators.username, name))
      if (known === 0) await createAdministrator(context, name, { password: ADMIN_PASSWORD, role })
      return signedInStaff(visitor(), name)
    },
    async listen() {
      url ??= await app.listen({ host: '127.0.0.1', port: 0 })
      return url
    },
  }
}

/** Fails the run if a test gets a refusal that the contract does not declare. */
const refuseUndeclared: Observe = ({ refusedAs, ws, routeOptions: { config } }) => {
  const contract = config?.contract
  // The handshake of the live channel is not in the contract.
  if (!refusedAs || ws || !contract || refusalsOf(contract).includes(refusedAs)) return
  const call = `${contract.method} ${contract.path}`
  void Promise.reject(new Error(`${call} was refused with ${refusedAs}, which its contract does not name`))
}

const defaultBrand = readBrand()
const defaultWords = readWords({ product: defaultBrand.name })

function createContext(
  { db }: TestDatabase,
  folder: string,
  {
    photos,
    brand,
    requireTotp,
    site,
    log = createLog('silent'),
  }: {
    photos: PhotoStorage | undefined
    brand: Brand
    requireTotp: boolean
    site: Options['site'] | undefined
    log: Context['log'] | undefined
  },
): Context {
  const key = () => randomBytes(32).toString('base64')
  return {
    db,
    catalog: new Catalog(db),
    keys: parseKeys([`k1:${key()}`, `index:${key()}`], 'the test'),
    // A test signs in many people. passwords.test.ts hashes at the product's own cost.
    passwords: new Passwords({ memoryCost: 64, timeCost: 1 }),
    photos: photos ?? new FolderStorage(join(folder, 'uploads')),
    decoder: new PhotoDecoder(),
    log,
    site: {
      productName: brand.name,
      company: brand.company,
      themes: brand.themes,
      claims: brand.claims,
      openingHours: brand.openingHours,
      payoutMethods: brand.payoutMethods,
      publicUrl: 'http://localhost',
      allowedOrigin: undefined,
      https: false,
      requireTotp,
      timeZone: 'UTC',
      payouts: { manual: true, alwaysTwoPersons: false, netReceivables: false, nacha: testBank },
      adminUsernames: new Set(['admin']),
      ...site,
    },
    words:
      brand === defaultBrand ? defaultWords : readWords({ product: brand.name, folder: brand.wordsFolder }),
  }
}
