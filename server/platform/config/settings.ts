import { resolve } from 'node:path'
import { PASSWORD_LENGTH } from '#contract/accounts.ts'
import { isCommonPassword } from './common-passwords.ts'
import {
  accountName,
  emailAddress,
  hostName,
  nameList,
  proxyList,
  storageLocation,
  urlWith,
  webOrigin,
  wholeNumber,
} from './config-values.ts'

/** One environment variable. */
export type Setting<T> = {
  /** What is read when the variable is unset or empty; no default means the setting stays undefined. */
  default?: string
  doc: string
  /** What it may hold, completing "it may hold …". */
  allowed: string
  /** Its value never appears in a message. */
  secret?: true
  /** Blanks around it belong to it. */
  verbatim?: true
  /** Answers undefined for a text that is not allowed. */
  parse: (text: string) => T | undefined
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

function setting<T>(entry: Setting<T>): Setting<T> {
  return entry
}

/** Every environment variable the server reads. `docs/operating.md` is written from this table. */
export const settings = {
  PRODUCT_NAME: setting({
    default: 'Unspent',
    doc: 'The name shown wherever the product names itself.',
    allowed: '1 to 60 characters',
    parse: (text) => (text.length <= 60 && !/\p{Cc}/u.test(text) ? text : undefined),
  }),
  PORT: setting({
    default: '3000',
    doc: 'The port to listen on; 0 takes any free one.',
    allowed: 'a whole number from 0 to 65535',
    parse: (text) => wholeNumber(text, 0, 65535),
  }),
  HOST: setting({
    default: '127.0.0.1',
    doc: 'The address to listen on.',
    allowed: 'an IP address or a host name',
    parse: hostName,
  }),
  DATA_DIR: setting({
    default: './data',
    doc: 'The folder of everything that is kept by default: database, uploads, generated keys, unsent mail.',
    allowed: 'the path of a folder',
    parse: (text) => (text.includes('\0') ? undefined : resolve(text)),
  }),
  DATABASE_URL: setting({
    doc: 'A PostgreSQL 15 or newer to use in place of the embedded one.',
    allowed: 'a URL like postgres://user:password@host:5432/database',
    secret: true,
    parse: (text) => (urlWith(text, ['postgres:', 'postgresql:']) ? text : undefined),
  }),
  STORAGE_URL: setting({
    doc: 'Where photos are kept. A relative path is taken below DATA_DIR.',
    allowed:
      'file: and the path of a folder, like file:///srv/unspent/uploads, or a bucket, like s3://bucket?endpoint=https://store:9000',
    secret: true,
    default: 'file:uploads',
    parse: storageLocation,
  }),
  SMTP_URL: setting({
    doc: 'Where mail is handed over; unset: each mail becomes one .eml file below DATA_DIR/mail.',
    allowed: 'a URL like smtp://user:password@host:587 or smtps://host:465',
    secret: true,
    parse: (text) => (urlWith(text, ['smtp:', 'smtps:'])?.hostname ? text : undefined),
  }),
  MAIL_FROM: setting({
    doc: 'The address that mails come from; unset: no-reply at the host of PUBLIC_URL.',
    allowed: 'one e-mail address',
    parse: emailAddress,
  }),
  MAIL_REPLY_TO: setting({
    doc: 'Where replies to mails go; unset: mails say that replies are not read.',
    allowed: 'one e-mail address',
    parse: emailAddress,
  }),
  SUPPORT_EMAIL: setting({
    doc: 'The address of support on the pages and in mails; unset: they lead to the contact form. Part of the built pages.',
    allowed: 'one e-mail address',
    parse: emailAddress,
  }),
  SUPPORT_PHONE: setting({
    doc: 'The phone number of support on the contact page; unset: none is shown. Part of the built pages.',
    allowed: 'a phone number like +1 (212) 555-0100',
    parse: (text) => (/^[+(\d][\d ().-]{2,39}$/.test(text) ? text : undefined),
  }),
  SUPPORT_HOURS: setting({
    default: 'Mon-Fri, 9 AM - 6 PM EST',
    doc: 'When support answers the phone and chats. Part of the built pages.',
    allowed: '1 to 100 characters',
    parse: (text) => (text.length <= 100 && !/\p{Cc}/u.test(text) ? text : undefined),
  }),
  SECRET_KEYS: setting({
    doc: 'The keys that seal card codes, bank numbers and photos; unset: generated below DATA_DIR.',
    allowed: 'names and keys of 32 bytes, like k1:BASE64,index:BASE64',
    secret: true,
    parse: (text) => text,
  }),
  ADMIN_USERNAME: setting({
    default: 'admin',
    doc: 'The username of the first administrator, made when there is none.',
    allowed: '1 to 50 characters without blanks and commas',
    parse: accountName,
  }),
  ADMIN_PASSWORD: setting({
    doc: 'The password of the first administrator; unset: one is generated and printed once.',
    allowed: `${PASSWORD_LENGTH.min} to ${PASSWORD_LENGTH.max} characters, and no commonly leaked password`,
    secret: true,
    verbatim: true,
    parse: (text) => (isPassword(text) ? text : undefined),
  }),
  ADMIN_USERNAMES: setting({
    default: 'admin',
    doc: 'Usernames that are shown the Admin Dashboard button. Nobody can register them.',
    allowed: 'a comma list of usernames',
    parse: nameList,
  }),
  STAFF_SESSION_HOURS: setting({
    default: '12',
    doc: 'Hours after which an administrator has to sign in again, however busy they are.',
    allowed: 'a whole number from 1 to 168',
    parse: (text) => wholeNumber(text, 1, 168),
  }),
  STAFF_IDLE_MINUTES: setting({
    default: '30',
    doc: 'Minutes without activity after which an administrator has to sign in again.',
    allowed: 'a whole number from 1 to 1440',
    parse: (text) => wholeNumber(text, 1, 1440),
  }),
  PUBLIC_URL: setting({
    doc: 'The address people use, for links in mails and as the allowed origin; unset: the address listened on.',
    allowed: 'an http or https origin without a path, like https://unspent.example',
    parse: webOrigin,
  }),
  HSTS_SUBDOMAINS: setting({
    default: 'off',
    doc: 'Whether browsers have to use https for every name below the host of PUBLIC_URL too. Browsers remember it for two years.',
    allowed: 'on or off',
    parse: onOrOff,
  }),
  RATE_LIMITS: setting({
    default: 'on',
    doc: 'off is for tests only and needs HOST and PUBLIC_URL to be loopback.',
    allowed: 'on or off',
    parse: onOrOff,
  }),
  ERASE_AFTER_DAYS: setting({
    default: '90',
    doc: 'Days from its final state until number, PIN, payout account and photos of a submission are erased. A completed one is kept until it is released (npm run admin -- release); its days count from then.',
    allowed: 'a whole number from 1 to 3650',
    parse: (text) => wholeNumber(text, 1, 3650),
  }),
  LOG_LEVEL: setting({
    default: 'info',
    doc: 'How much is logged.',
    allowed: `one of ${logLevels.join(', ')}`,
    parse: (text) => logLevels.find((level) => level === text.toLowerCase()),
  }),
  METRICS_PORT: setting({
    doc: 'The port of /metrics for Prometheus, on an address of its own; unset: there is none.',
    allowed: 'a whole number from 1 to 65535',
    parse: (text) => wholeNumber(text, 1, 65535),
  }),
  METRICS_HOST: setting({
    default: '127.0.0.1',
    doc: 'The address that METRICS_PORT listens on: one that only you reach.',
    allowed: 'an IP address or a host name',
    parse: hostName,
  }),
  TRUST_PROXY: setting({
    default: 'off',
    doc: 'The proxies whose X-Forwarded-* headers are believed.',
    allowed: 'off, or a comma list of IP addresses and CIDR blocks',
    parse: proxyList,
  }),
}

function onOrOff(text: string): boolean | undefined {
  return { on: true, off: false }[text.toLowerCase()]
}

function isPassword(text: string): boolean {
  // Counted as people do: an emoji is one.
  const { length } = [...text]
  return length >= PASSWORD_LENGTH.min && length <= PASSWORD_LENGTH.max && !isCommonPassword(text)
}
