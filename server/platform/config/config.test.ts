import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readBrand } from '#brand/brand.ts'
import { OperatorError } from '#server/platform/config/operator-error.ts'
import { readConfig } from './config.ts'
import { envExample, settings, settingsTable } from './settings.ts'

/** The message of the OperatorError. */
function refusalOf(env: Record<string, string>): string {
  try {
    readConfig(env)
  } catch (error) {
    if (error instanceof OperatorError) return error.message
    throw error
  }
  throw new Error('The settings were accepted')
}

test('refuses scheduled backups without a key to encrypt them to', () => {
  expect(refusalOf({ BACKUP_TO: 'file:///backups' })).toContain(
    'BACKUP_TO and BACKUP_RECIPIENT need each other',
  )
  expect(refusalOf({ BACKUP_RECIPIENT: 'AGE-SECRET-KEY-1X' })).toContain('it must be a recipient of age')
})

test('names what is missing or unsafe about the sign-in provider', () => {
  const issuer = { OIDC_ISSUER: 'https://id.example/tenant' }
  expect(refusalOf(issuer)).toContain('OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET need each other')
  const client = { OIDC_CLIENT_ID: 'shop', OIDC_CLIENT_SECRET: 'hunter2' }
  expect(readConfig({ ...issuer, ...client })).toMatchObject({ oidcIssuer: issuer.OIDC_ISSUER })
  for (const unsafe of ['http://id.example', 'https://u:hunter2@id.example', 'https://id.example/?hunter2'])
    expect(refusalOf({ ...client, OIDC_ISSUER: unsafe })).toContain('it must be an https URL')
})

test('uses the documented defaults for an empty environment', () => {
  expect(readConfig({})).toEqual({
    productName: undefined,
    brandDir: undefined,
    brand: readBrand(),
    port: 3000,
    host: '127.0.0.1',
    dataDir: resolve('data'),
    databaseUrl: undefined,
    storage: { kind: 'file', folder: resolve('data/uploads') },
    backupTo: undefined,
    backupRecipient: undefined,
    backupEveryHours: 24,
    backupKeepDays: 30,
    timeZone: 'America/New_York',
    smtpUrl: undefined,
    mailFrom: undefined,
    mailReplyTo: undefined,
    supportEmail: undefined,
    supportPhone: undefined,
    supportHours: undefined,
    secretKeys: undefined,
    pushKey: undefined,
    pushServices: undefined,
    adminUsername: 'admin',
    adminPassword: undefined,
    adminUsernames: ['admin'],
    staffSessionHours: 12,
    staffIdleMinutes: 30,
    requireTotp: false,
    manualPayouts: true,
    twoPersonRelease: false,
    payoutLimit: undefined,
    payoutLimitPerBatch: undefined,
    payoutLimitPerDay: undefined,
    secondApprovalAbove: undefined,
    netReceivables: false,
    taxFormThreshold: undefined,
    nachaDestination: undefined,
    nachaDestinationName: undefined,
    nachaOrigin: undefined,
    nachaCompanyName: undefined,
    nachaCompanyId: undefined,
    nachaEntryDescription: 'PAYOUT',
    nachaOdfi: undefined,
    nachaCutoff: 1020,
    nachaPrenotes: false,
    oidcTrustMfa: false,
    publicUrl: undefined,
    hstsSubdomains: false,
    serviceWorker: true,
    webhooksAllowPrivate: false,
    rateLimits: true,
    eraseAfterDays: 90,
    logLevel: 'info',
    metricsPort: undefined,
    metricsHost: '127.0.0.1',
    otelEndpoint: undefined,
    otelHeaders: undefined,
    otelServiceName: 'unspent',
    otelSampler: 'parentbased_always_on',
    otelSamplerArg: 1,
    trustProxy: false,
  })
})

test('treats an empty variable as unset', () => {
  const empty = Object.fromEntries(Object.values(settings).map(({ name }) => [name, ' ']))
  expect(readConfig(empty)).toEqual(readConfig({}))
})

test('reads every kind of setting', () => {
  const config = readConfig({
    PRODUCT_NAME: 'Kartenhaus',
    PORT: '0',
    HOST: '::1',
    DATA_DIR: '/srv/unspent',
    DATABASE_URL: 'postgres://u:p@db:5432/unspent',
    STORAGE_URL: 'file:///srv/photos%20here',
    SMTP_URL: 'smtps://u:p@mail:465',
    ADMIN_USERNAMES: 'Ada, grace,ada',
    PUBLIC_URL: 'https://Unspent.example/',
    LOG_LEVEL: 'DEBUG',
    TRUST_PROXY: '10.0.0.0/8, fd00::/8,127.0.0.1',
    NACHA_COMPANY_NAME: 'Unspent, Inc.',
  })
  expect(config).toMatchObject({
    port: 0,
    host: '::1',
    dataDir: '/srv/unspent',
    storage: { kind: 'file', folder: '/srv/photos here' },
    adminUsernames: ['ada', 'grace'],
    publicUrl: 'https://unspent.example',
    logLevel: 'debug',
    trustProxy: ['10.0.0.0/8', 'fd00::/8', '127.0.0.1'],
    nachaCompanyName: 'UNSPENT, INC.',
  })
})

test('resolves a relative storage path inside DATA_DIR', () => {
  const { storage } = readConfig({ DATA_DIR: '/srv/unspent', STORAGE_URL: 'file:photos' })
  expect(storage).toEqual({ kind: 'file', folder: '/srv/unspent/photos' })
})

test('accepts a bucket as storage', () => {
  const bucketOf = (STORAGE_URL: string) => readConfig({ STORAGE_URL }).storage
  expect(bucketOf('s3://photos')).toEqual({
    kind: 's3',
    bucket: 'photos',
    prefix: '',
    endpoint: undefined,
    region: 'us-east-1',
    credentials: undefined,
  })
  expect(bucketOf('s3://key:a%2Fb@my.photos/un/spent/?endpoint=http://store:9000&region=eu')).toEqual({
    kind: 's3',
    bucket: 'my.photos',
    prefix: 'un/spent/',
    endpoint: 'http://store:9000',
    region: 'eu',
    credentials: { accessKeyId: 'key', secretAccessKey: 'a/b' },
  })
})

describe('an invalid setting', () => {
  test.each([
    ['PORT', '65536'],
    ['PORT', '3e3'],
    ['PORT', '-1'],
    ['PORT', '3000.5'],
    ['METRICS_PORT', '0'],
    ['OTEL_TRACES_SAMPLER', 'jaeger_remote'],
    ['OTEL_TRACES_SAMPLER_ARG', '1.5'],
    ['HOST', 'http://localhost'],
    ['HOST', 'a b'],
    ['PUBLIC_URL', 'https://unspent.example/shop'],
    ['PUBLIC_URL', 'unspent.example'],
    ['PUBLIC_URL', 'ftp://unspent.example'],
    ['RATE_LIMITS', 'maybe'],
    ['LOG_LEVEL', 'loud'],
    ['TRUST_PROXY', 'on'],
    ['TRUST_PROXY', '10.0.0.0/33'],
    ['TRUST_PROXY', '10.0.0.0/8/8'],
    ['ADMIN_USERNAME', 'the admin'],
    ['ADMIN_USERNAMES', ','],
    ['PRODUCT_NAME', 'x'.repeat(61)],
    ['MAIL_FROM', 'Shop <shop@unspent.example>'],
    ['SUPPORT_EMAIL', 'a@b.example, c@d.example'],
    ['SUPPORT_PHONE', 'call us'],
    ['NACHA_DESTINATION', '021000022'],
    ['NACHA_DESTINATION', '000000000'],
    ['NACHA_ORIGIN', '12345678'],
    ['NACHA_ORIGIN', '12345678901'],
    ['NACHA_ORIGIN', '12-3456789'],
    ['NACHA_COMPANY_NAME', 'Café Unspent'],
    ['NACHA_ENTRY_DESCRIPTION', 'GIFT CARD PAYOUT'],
    ['NACHA_ODFI', '021000021'],
  ])('%s=%s is refused in one line with its name, its value and what it must be', (name, value) => {
    const message = refusalOf({ [name]: value })
    expect(message).toContain(`${name} is ${JSON.stringify(value)}; it must be `)
    expect(message).not.toContain('\n')
  })

  test.each([
    ['DATABASE_URL', 'mysql://root:hunter2@db/x'],
    ['DATABASE_URL', 'hunter2'],
    ['STORAGE_URL', 's3://key:hunter2@bucket?endpoint=store:9000'],
    ['STORAGE_URL', 's3://key:hunter2@bucket?acl=public'],
    ['STORAGE_URL', 's3://hunter2@bucket'],
    ['STORAGE_URL', 's3://key:hunter2@BUCKET_'],
    ['STORAGE_URL', 'file://elsewhere/hunter2'],
    ['SMTP_URL', 'http://u:hunter2@mail'],
    ['ADMIN_PASSWORD', 'hunter2'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'grpc://u:hunter2@collector:4317'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'hunter2'],
  ])('does not show the secret value of %s', (name, value) => {
    const message = refusalOf({ [name]: value })
    expect(message).toContain(`${name} is a value of ${value.length} characters; it must be `)
    expect(message).not.toContain('hunter2')
  })

  test('refuses a commonly leaked password', () => {
    const message = refusalOf({ ADMIN_PASSWORD: 'Password123' })
    expect(message).toBe(
      'ADMIN_PASSWORD is a value of 11 characters; it must be 8 to 128 characters, and not a commonly leaked password',
    )
  })

  test('counts an emoji in a password as one character', () => {
    expect(refusalOf({ ADMIN_PASSWORD: '🔑'.repeat(7) })).toContain('8 to 128 characters')
    expect(readConfig({ ADMIN_PASSWORD: '🔑'.repeat(128) }).adminPassword).toHaveLength(256)
  })
})

test.each([
  ['SMPT_URL', 'SMTP_URL'],
  ['DATABASE_URI', 'DATABASE_URL'],
  ['SECRET_KEY', 'SECRET_KEYS'],
  ['DATADIR', 'DATA_DIR'],
  ['TRUST_PROXXY', 'TRUST_PROXY'],
  ['PROT', 'PORT'],
  ['public_url', 'PUBLIC_URL'],
])('refuses %s, which is a slip away from %s', (name, meant) => {
  expect(refusalOf({ [name]: 'hunter2' })).toBe(`${name} is not a setting; it must be ${meant}, or unset`)
})

test.each([
  'HOME',
  'HOSTNAME',
  'PATH',
  'POST',
  'port',
  'PGPORT',
  'LOGNAME',
  'MAIL',
  'UNSPENT_PORT',
  'npm_config_host',
])('leaves %s to other programs', (name) => {
  expect(readConfig({ [name]: 'x' })).toEqual(readConfig({}))
})

test('refuses a folder that is named like an option', () => {
  expect(refusalOf({ DATA_DIR: '-m' })).toBe('DATA_DIR is "-m"; it must be the path of a folder')
  expect(readConfig({ DATA_DIR: './-m' }).dataDir).toBe(resolve('-m'))
})

test('reports all invalid settings at once, one line each', () => {
  const env = {
    HOST: '0.0.0.0',
    PORT: 'abc',
    STORAGE_URL: 'file://elsewhere/x',
    DATA_DIR: 'a\0b',
    RATE_LIMITS: 'off',
  }
  const lines = refusalOf({ ...env, ADMIN_PASSWORD: 'hunter2', LOG_LEVEL: 'loud' }).split('\n')
  expect(lines.map((line) => /^\S+/.exec(line)?.[0])).toEqual([
    'PORT',
    'DATA_DIR',
    'STORAGE_URL',
    'ADMIN_PASSWORD',
    'LOG_LEVEL',
    'RATE_LIMITS',
  ])
  for (const line of lines) expect(line).toMatch(/ is .*; it must be /)
  expect(lines.join()).not.toContain('hunter2')
})

test('trims spaces around a value, but not around the password', () => {
  const config = readConfig({ HOST: ' ::1\n', ADMIN_PASSWORD: ' open sesame ' })
  expect(config).toMatchObject({ host: '::1', adminPassword: ' open sesame ' })
})

describe('RATE_LIMITS=off', () => {
  test.each([{}, { HOST: 'localhost' }, { HOST: '::1', PUBLIC_URL: 'http://127.0.0.1:3000' }])(
    'is allowed on loopback: %j',
    (env) => {
      expect(readConfig({ RATE_LIMITS: 'off', ...env }).rateLimits).toBe(false)
    },
  )

  test.each([
    [{ HOST: '0.0.0.0' }, 'HOST'],
    [{ HOST: '::' }, 'HOST'],
    [{ PUBLIC_URL: 'https://unspent.example' }, 'PUBLIC_URL'],
    [{ PUBLIC_URL: 'https://127.0.0.1.unspent.example' }, 'PUBLIC_URL'],
  ])('is refused otherwise: %j', (env, culprit) => {
    expect(refusalOf({ RATE_LIMITS: 'off', ...env })).toContain(`and ${culprit} is`)
  })
})

describe('the documentation, updated by vitest run server/platform/config --update', () => {
  const root = join(import.meta.dirname, '../../..')

  test('lists every setting in docs/operating.md', async () => {
    const path = join(root, 'docs/operating.md')
    const text = readFileSync(path, 'utf8').replace(
      /(<!-- settings -->\n).*(<!-- \/settings -->)/s,
      (_, start, end) => start + settingsTable() + end,
    )
    expect(text).toContain(settingsTable())
    await expect(text).toMatchFileSnapshot(path)
  })

  test('lists every setting in .env.example', async () => {
    await expect(envExample()).toMatchFileSnapshot(join(root, '.env.example'))
  })
})
