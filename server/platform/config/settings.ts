import { z } from 'zod'
import { PHONE_NUMBER } from '#brand/brand-json.ts'
import { PASSWORD_LENGTH } from '#domain/password.ts'
import { DEFAULT_TIME_ZONE } from '#domain/shop-time.ts'
import { isCommonPassword } from './common-passwords.ts'
import * as values from './config-values.ts'

export interface Setting {
  /** The environment variable. */
  readonly name: string
  readonly type: values.ValueType<unknown>
  /** Used when the variable is unset or empty. */
  readonly default?: string
  readonly description: string
  /** The value never appears in a message. */
  readonly secret?: true
  /** Spaces around the value are part of it. */
  readonly verbatim?: true
}

const samplerNames = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const
export type SamplerName = (typeof samplerNames)[number]

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

/** Every environment variable the server reads. `.env.example` and docs/operating.md are printed from this table. */
export const settings = {
  productName: {
    name: 'PRODUCT_NAME',
    type: values.shortText(60),
    description: 'The product name, wherever it is shown. Unset: the name of the brand. Read at build time.',
  },
  /** Absolute. */
  brandDir: {
    name: 'BRAND_DIR',
    type: values.folder,
    description:
      "The folder of your brand: name, logo, colors, claims and contacts. Unset: the default brand's. Read at build time.",
  },
  port: {
    name: 'PORT',
    type: values.wholeNumber(0, 65535),
    default: '3000',
    description: 'The port to listen on; 0 picks a free one.',
  },
  host: {
    name: 'HOST',
    type: values.hostName,
    default: '127.0.0.1',
    description: 'The address to listen on.',
  },
  /** Absolute. */
  dataDir: {
    name: 'DATA_DIR',
    type: values.folder,
    default: './data',
    description:
      'The folder for everything stored by default: database, uploads, generated keys, unsent emails.',
  },
  databaseUrl: {
    name: 'DATABASE_URL',
    type: {
      mustBe: 'a URL like postgres://user:password@host:5432/database',
      schema: z.url({ protocol: /^postgres(ql)?$/ }),
    },
    description: 'A PostgreSQL server (15 or newer) to use instead of the embedded one.',
    secret: true,
  },
  storage: {
    name: 'STORAGE_URL',
    type: values.storageLocation,
    default: 'file:uploads',
    description: 'Where photos are stored. A relative path is inside DATA_DIR.',
    secret: true,
  },
  backupTo: {
    name: 'BACKUP_TO',
    type: values.storageLocation,
    description:
      'Where scheduled backups go: a folder on another disk, or a bucket. Unset: none are made. Needs BACKUP_RECIPIENT.',
    secret: true,
  },
  backupRecipient: {
    name: 'BACKUP_RECIPIENT',
    type: { mustBe: 'a recipient of age, like age1…', schema: z.string().regex(/^age1[a-z0-9]+$/) },
    description:
      'The public key that scheduled backups are encrypted to. The server never has the other half.',
  },
  backupEveryHours: {
    name: 'BACKUP_EVERY_HOURS',
    type: values.wholeNumber(1, 168),
    default: '24',
    description: 'Hours from one scheduled backup to the next.',
  },
  backupKeepDays: {
    name: 'BACKUP_KEEP_DAYS',
    type: values.wholeNumber(1, 3650),
    default: '30',
    description: 'Days until a scheduled backup is removed. The newest three are always kept.',
  },
  timeZone: {
    name: 'TIME_ZONE',
    type: values.timeZone,
    default: DEFAULT_TIME_ZONE,
    description:
      "The shop's time zone, in which days, months and years of reports and of the ledger begin. A change does not move what is in the ledger.",
  },
  smtpUrl: {
    name: 'SMTP_URL',
    type: {
      mustBe: 'a URL like smtp://user:password@host:587 or smtps://host:465',
      schema: z.url({ protocol: /^smtps?$/, hostname: /./ }),
    },
    description: 'The mail server. Unset: each email is written to an .eml file in DATA_DIR/mail.',
    secret: true,
  },
  mailFrom: {
    name: 'MAIL_FROM',
    type: values.emailAddress,
    description: 'The sender address of emails. Unset: no-reply at the host of PUBLIC_URL.',
  },
  mailReplyTo: {
    name: 'MAIL_REPLY_TO',
    type: values.emailAddress,
    description:
      'The reply address of emails. Unset: the support address. Without either, emails say that replies are not read.',
  },
  bounceSecret: {
    name: 'BOUNCE_SECRET',
    type: { mustBe: '16 to 200 characters', schema: z.string().min(16).max(200) },
    description:
      'What your mail provider sends with reports of undelivered mail to /api/mail/bounces. Unset: none are taken.',
    secret: true,
  },
  supportEmail: {
    name: 'SUPPORT_EMAIL',
    type: values.emailAddress,
    description:
      "The support address on pages and in emails. Unset: the brand's, or a link to the contact form. Read at build time.",
  },
  supportPhone: {
    name: 'SUPPORT_PHONE',
    type: {
      mustBe: 'a phone number like +1 (212) 555-0100',
      schema: z.string().regex(PHONE_NUMBER),
    },
    description:
      "The support phone number on the contact page. Unset: the brand's, or none. Read at build time.",
  },
  supportHours: {
    name: 'SUPPORT_HOURS',
    type: values.shortText(100),
    description:
      "When support answers the phone and chats. Unset: the brand's hours, Mon-Fri, 9 AM - 6 PM EST by default. Read at build time.",
  },
  secretKeys: {
    name: 'SECRET_KEYS',
    type: { mustBe: 'names and keys of 32 bytes, like k1:BASE64,index:BASE64', schema: z.string() },
    description: 'The keys that encrypt card codes, bank numbers and photos. Unset: generated in DATA_DIR.',
    secret: true,
  },
  pushKey: {
    name: 'PUSH_KEY',
    type: { mustBe: '32 bytes in base64', schema: z.string().regex(/^[\w+/-]{43}=?$/) },
    description:
      'The key that signs notifications to browsers. Unset: generated in DATA_DIR. Several servers need the same one.',
    secret: true,
  },
  /** Origins. */
  pushServices: {
    name: 'PUSH_SERVICES',
    type: values.webOrigins,
    description: 'Push services to send to besides those of the known browsers. Unset: none.',
  },
  adminUsername: {
    name: 'ADMIN_USERNAME',
    type: values.accountName,
    default: 'admin',
    description: 'The username of the first administrator, created if there is none.',
  },
  adminPassword: {
    name: 'ADMIN_PASSWORD',
    type: {
      mustBe: `${PASSWORD_LENGTH.min} to ${PASSWORD_LENGTH.max} characters, and not a commonly leaked password`,
      schema: z.string().refine(isPassword),
    },
    description: 'The password of the first administrator. Unset: one is generated and printed once.',
    secret: true,
    verbatim: true,
  },
  /** Lower case. */
  adminUsernames: {
    name: 'ADMIN_USERNAMES',
    type: values.accountNames,
    default: 'admin',
    description: 'Usernames that see the Admin Dashboard button. Nobody can register them.',
  },
  staffSessionHours: {
    name: 'STAFF_SESSION_HOURS',
    type: values.wholeNumber(1, 168),
    default: '12',
    description: 'Hours after which an administrator must sign in again, even if active.',
  },
  staffIdleMinutes: {
    name: 'STAFF_IDLE_MINUTES',
    type: values.wholeNumber(1, 1440),
    default: '30',
    description: 'Minutes of inactivity after which an administrator must sign in again.',
  },
  requireTotp: {
    name: 'REQUIRE_TOTP',
    type: values.onOrOff,
    default: 'off',
    description:
      'Whether administrators without a second factor can only set one up. It applies at once, also to those signed in.',
  },
  oidcIssuer: {
    name: 'OIDC_ISSUER',
    type: values.issuer,
    description:
      'The OpenID Connect provider through which staff can sign in too. Unset: none. Needs OIDC_CLIENT_ID and OIDC_CLIENT_SECRET.',
  },
  oidcClientId: {
    name: 'OIDC_CLIENT_ID',
    type: values.shortText(300),
    description: 'What the provider calls this shop.',
  },
  oidcClientSecret: {
    name: 'OIDC_CLIENT_SECRET',
    type: values.shortText(1000),
    description: 'The secret that the provider gave this shop.',
    secret: true,
  },
  oidcName: {
    name: 'OIDC_NAME',
    type: values.shortText(40),
    description: "The provider's name on the button. Unset: the host of OIDC_ISSUER.",
  },
  oidcTrustMfa: {
    name: 'OIDC_TRUST_MFA',
    type: values.onOrOff,
    default: 'off',
    description:
      'Whether a sign-in through the provider counts as a second factor. Turn it on only if the provider requires one of everybody.',
  },
  publicUrl: {
    name: 'PUBLIC_URL',
    type: values.webOrigin,
    description:
      'The public address of the site, for links in emails and as the allowed origin. Unset: the address the server listens on.',
  },
  hstsSubdomains: {
    name: 'HSTS_SUBDOMAINS',
    type: values.onOrOff,
    default: 'off',
    description: 'Whether HSTS includes all subdomains of PUBLIC_URL. Browsers remember it for two years.',
  },
  serviceWorker: {
    name: 'SERVICE_WORKER',
    type: values.onOrOff,
    default: 'on',
    description:
      "Whether sellers' browsers keep a service worker, for notifications and the offline page. Off removes it from every browser at its next visit.",
  },
  webhooksAllowPrivate: {
    name: 'WEBHOOKS_ALLOW_PRIVATE',
    type: values.onOrOff,
    default: 'off',
    description:
      'Whether webhooks and balance connectors may go to private addresses, such as another machine of your network. Webhooks may then go without https, balance connectors only within this machine.',
  },
  rateLimits: {
    name: 'RATE_LIMITS',
    type: values.onOrOff,
    default: 'on',
    description: 'Use off only for tests; HOST and PUBLIC_URL must then be loopback.',
  },
  eraseAfterDays: {
    name: 'ERASE_AFTER_DAYS',
    type: values.wholeNumber(1, 3650),
    default: '90',
    description:
      'Days after which the number, PIN, payout account and photos of a closed submission are erased. For a completed one they count from when its card left the stock. For photos of a chat they count from the message.',
  },
  /** In cents. Undefined: never. */
  balanceCheckAbove: {
    name: 'REQUIRE_BALANCE_CHECK_ABOVE',
    type: values.dollarsOrOff,
    default: 'off',
    description:
      'A card with a face value above this many dollars can only be approved, paid by hand or put into a batch within 24 hours of a balance check.',
  },
  manualPayouts: {
    name: 'MANUAL_PAYOUTS',
    type: values.onOrOff,
    default: 'on',
    description: 'Whether payouts can be recorded as paid by hand, outside batches. Owners always can.',
  },
  /** Whether nobody ever releases a batch that they froze. */
  twoPersonRelease: {
    name: 'TWO_PERSON_RELEASE',
    type: values.alwaysOrPossible,
    default: 'when_possible',
    description:
      'Who may release a batch of payouts. With when_possible, the person who froze it may if nobody else could. With always, that person never may, and the person who created it cannot freeze it.',
  },
  /** This and the next three in cents. Undefined: no limit. */
  payoutLimit: {
    name: 'PAYOUT_LIMIT',
    type: values.dollarsOrOff,
    default: 'off',
    description: 'The maximum of one payout, in a batch or by hand.',
  },
  payoutLimitPerBatch: {
    name: 'PAYOUT_LIMIT_PER_BATCH',
    type: values.dollarsOrOff,
    default: 'off',
    description: 'The maximum total of one batch.',
  },
  payoutLimitPerDay: {
    name: 'PAYOUT_LIMIT_PER_DAY',
    type: values.dollarsOrOff,
    default: 'off',
    description: 'The maximum total of released batches and payments by hand in one day.',
  },
  secondApprovalAbove: {
    name: 'SECOND_APPROVAL_ABOVE',
    type: values.dollarsOrOff,
    default: 'off',
    description:
      'A batch with a higher total needs two approvers besides the people who created and froze it.',
  },
  netReceivables: {
    name: 'NET_RECEIVABLES',
    type: values.onOrOff,
    default: 'off',
    description:
      'Whether what a seller owes for bad cards is deducted from their next payouts. Turn it on only if your terms say so.',
  },
  /** In cents. Undefined: never. */
  taxFormThreshold: {
    name: 'TAX_FORM_THRESHOLD',
    type: values.dollarsOrOff,
    default: 'off',
    description:
      'Sellers who were paid more than this many dollars in a year are asked for the name, address and taxpayer number of form 1099-K.',
  },
  payoutProvider: {
    name: 'PAYOUT_PROVIDER',
    type: { mustBe: 'paypal, or unset', schema: z.enum(['paypal']) },
    description:
      'Who sends released batches of PayPal and Venmo. Unset: they leave in files. Needs PAYPAL_CLIENT_ID, PAYPAL_CLIENT_SECRET and PAYPAL_ENVIRONMENT.',
  },
  paypalClientId: {
    name: 'PAYPAL_CLIENT_ID',
    type: values.shortText(200),
    description: 'The client ID of your app at developer.paypal.com.',
  },
  paypalClientSecret: {
    name: 'PAYPAL_CLIENT_SECRET',
    type: values.shortText(200),
    description: 'The secret of that app.',
    secret: true,
  },
  paypalEnvironment: {
    name: 'PAYPAL_ENVIRONMENT',
    type: { mustBe: 'sandbox or live', schema: z.enum(['sandbox', 'live']) },
    description: 'Where that app is. Only live pays anybody.',
  },
  paypalWebhookId: {
    name: 'PAYPAL_WEBHOOK_ID',
    type: {
      mustBe: "PayPal's id of the webhook, in letters and digits",
      schema: z.string().regex(/^\w{1,50}$/),
    },
    description:
      'What PayPal calls the webhook to /api/payout-provider/webhook. Unset: none are taken, and results are only read every minute or hour.',
  },
  nachaDestination: {
    name: 'NACHA_DESTINATION',
    type: values.routingNumber,
    description: "The immediate destination of ACH files: your bank's routing number.",
  },
  nachaDestinationName: {
    name: 'NACHA_DESTINATION_NAME',
    type: values.achText(1, 23),
    description: "Your bank's name, as it wants it in ACH files.",
  },
  nachaOrigin: {
    name: 'NACHA_ORIGIN',
    type: values.achId(9, 10),
    description: 'The immediate origin of ACH files, which your bank assigns. Often a 1 and your EIN.',
  },
  nachaCompanyName: {
    name: 'NACHA_COMPANY_NAME',
    type: values.achText(1, 16),
    description: 'The company name in ACH files, which sellers read on their bank statements.',
  },
  nachaCompanyId: {
    name: 'NACHA_COMPANY_ID',
    type: values.achId(1, 10),
    description:
      'The company identification in ACH files, which your bank assigns. Often the same as NACHA_ORIGIN.',
  },
  nachaEntryDescription: {
    name: 'NACHA_ENTRY_DESCRIPTION',
    type: values.achText(1, 10),
    default: 'PAYOUT',
    description: 'What the payment is, on the bank statements of sellers.',
  },
  nachaOdfi: {
    name: 'NACHA_ODFI',
    type: { mustBe: 'eight digits', schema: z.string().regex(/^\d{8}$/) },
    description:
      'The ODFI identification in ACH files, if your bank gives you one. Unset: the first eight digits of NACHA_DESTINATION.',
  },
  /** In minutes after midnight. */
  nachaCutoff: {
    name: 'NACHA_CUTOFF',
    type: values.clockTime,
    default: '17:00',
    description:
      'The time until which your bank processes an ACH file on the same banking day, in Eastern time.',
  },
  /** In minutes after midnight. Undefined: not offered. */
  nachaSameDayCutoff: {
    name: 'NACHA_SAME_DAY_CUTOFF',
    type: values.clockTime,
    description:
      'The time until which your bank pays an ACH file on the same banking day, in Eastern time. Unset: batches cannot be released for the same day.',
  },
  nachaPrenotes: {
    name: 'NACHA_PRENOTES',
    type: values.onOrOff,
    default: 'off',
    description:
      'Whether an account is checked by a prenote, an entry of zero dollars, before its first bank transfer. Its payouts wait until the third banking day after the prenote settles.',
  },
  logLevel: {
    name: 'LOG_LEVEL',
    type: {
      mustBe: `one of ${logLevels.join(', ')}`,
      schema: z.string().toLowerCase().pipe(z.enum(logLevels)),
    },
    default: 'info',
    description: 'The lowest level that is logged.',
  },
  metricsPort: {
    name: 'METRICS_PORT',
    type: values.wholeNumber(1, 65535),
    description: 'The port of /metrics for Prometheus. Unset: no metrics.',
  },
  metricsHost: {
    name: 'METRICS_HOST',
    type: values.hostName,
    default: '127.0.0.1',
    description: 'The address that METRICS_PORT listens on. Keep it private: it has no password.',
  },
  otelEndpoint: {
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    type: {
      mustBe: 'an http or https URL like http://localhost:4318',
      schema: z.url({ protocol: /^https?$/, hostname: /./ }),
    },
    description:
      'The OpenTelemetry collector that gets traces, as OTLP over HTTP in JSON. Unset: none are made.',
    secret: true,
  },
  otelHeaders: {
    name: 'OTEL_EXPORTER_OTLP_HEADERS',
    type: {
      mustBe: 'a comma-separated list like api-key=secret,team=shop, with percent-encoded values',
      schema: z.string().regex(/^[\w-]+=[^,\s]*(\s*,\s*[\w-]+=[^,\s]*)*$/),
    },
    description: 'Headers of the requests to the collector.',
    secret: true,
  },
  otelServiceName: {
    name: 'OTEL_SERVICE_NAME',
    type: values.shortText(60),
    default: 'unspent',
    description: 'What traces call this shop.',
  },
  otelSampler: {
    name: 'OTEL_TRACES_SAMPLER',
    type: {
      mustBe: `one of ${samplerNames.join(', ')}`,
      schema: z.string().toLowerCase().pipe(z.enum(samplerNames)),
    },
    default: 'parentbased_always_on',
    description: 'Which requests and jobs get a trace. With parentbased, a job has one if its request has.',
  },
  otelSamplerArg: {
    name: 'OTEL_TRACES_SAMPLER_ARG',
    type: {
      mustBe: 'a number from 0 to 1',
      schema: z
        .string()
        .regex(/^(0|1|0?\.\d{1,9}|1\.0{1,9})$/)
        .transform(Number),
    },
    default: '1',
    description: 'The share of traces that a sampler with traceidratio keeps.',
  },
  trustProxy: {
    name: 'TRUST_PROXY',
    type: values.proxies,
    default: 'off',
    description: 'The proxies whose X-Forwarded-* headers are trusted.',
  },
} as const satisfies Record<string, Setting>

function isPassword(text: string): boolean {
  // Counts code points, as people do: an emoji is one character.
  const { length } = [...text]
  return length >= PASSWORD_LENGTH.min && length <= PASSWORD_LENGTH.max && !isCommonPassword(text)
}

/** The Markdown table in docs/operating.md. */
export function settingsTable(): string {
  const rows = Object.values<Setting>(settings).map((setting) => {
    const unset = setting.default === undefined ? '–' : `\`${setting.default}\``
    return `| \`${setting.name}\` | ${unset} | ${setting.description} It must be ${setting.type.mustBe}. |`
  })
  return ['| variable | default | what it is |', '| --- | --- | --- |', ...rows, ''].join('\n')
}

/** The file `.env.example`: each setting commented out, with its default. */
export function envExample(): string {
  const entries = Object.values<Setting>(settings).map(
    (setting) =>
      `# ${setting.description}\n# It must be ${setting.type.mustBe}.\n#${setting.name}=${setting.default ?? ''}\n`,
  )
  return `${EXAMPLE_HEAD}\n${entries.join('\n')}`
}

const EXAMPLE_HEAD = `# Copy this file to .env and change what you need. npm start, npm run dev and ./unspent admin read it.
# Environment variables override it. A value is the rest of its line; surrounding quotes are removed.
# Keep .env private (chmod 600): it may contain passwords and keys.
`
