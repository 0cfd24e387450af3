import type { SystemReportAnswer } from '#contract/system.ts'
import type { CashProblem } from '#domain/payout-provider.ts'
import type { Config } from '#server/platform/config/config.ts'
import { isLoopback } from '#server/platform/config/config-values.ts'
import type { Mailer } from '#server/platform/mail/mailer.ts'

/** How this process runs. */
export interface Operation {
  readonly config: Pick<
    Config,
    | 'publicUrl'
    | 'host'
    | 'trustProxy'
    | 'databaseUrl'
    | 'secretKeys'
    | 'storage'
    | 'smtpUrl'
    | 'bounceSecret'
    | 'backupTo'
    | 'backupEveryHours'
    | 'requireTotp'
    | 'rateLimits'
    | 'metricsPort'
    | 'metricsHost'
  >
  readonly mailer: Mailer
  /** When the newest scheduled backup was made. */
  readonly backups: { readonly newestAt: Date | undefined }
}

/** What the findings are judged by. */
export interface Facts
  extends Pick<SystemReportAnswer, 'startedAt' | 'photos' | 'mail' | 'backups' | 'jobs'> {
  readonly config: Operation['config']
  readonly unsetContacts: readonly string[]
  readonly payoutsStopped: boolean
  readonly policiesStopped: boolean
  /** Null: every batch of payouts leaves in a file. */
  readonly provider: {
    readonly problem: CashProblem | null
    /** Batches that need somebody. */
    readonly failing: {
      readonly sending: number
      readonly refused: number
      readonly unclear: number
      /** Abandoned batches that the provider has paid. */
      readonly paidLate: number
    }
  } | null
  /** A policy that is on wants to pay at once, and the shop demands two people for each batch. */
  readonly automaticPayoutsBlocked: boolean
  /** Active administrators. */
  readonly staff: { readonly owners: number; readonly withoutSecondFactor: number }
  readonly isRoot: boolean
}

type Finding = SystemReportAnswer['findings'][number]

interface Check extends Omit<Finding, 'action'> {
  readonly applies: (facts: Facts) => boolean
  readonly action: string | ((facts: Facts) => string)
}

const HOUR_MS = 3_600_000
const PROVIDER_SECTION = 'Payouts through PayPal'

/** The worst first. `section` is a heading of docs/operating.md. */
export const checks: readonly Check[] = [
  {
    code: 'payouts_stopped',
    level: 'broken',
    title: 'Payouts are stopped, because a backup was restored',
    action: 'Record what was sent since the backup. Then run: ./unspent admin payouts resume',
    section: 'After a restore',
    applies: ({ payoutsStopped }) => payoutsStopped,
  },
  {
    code: 'provider_refuses',
    level: 'broken',
    title: 'PayPal refuses our credentials or our account',
    action: 'Open the batch on the payouts screen, which says what to correct. Nothing is paid twice.',
    section: PROVIDER_SECTION,
    applies: ({ provider }) => provider !== null && provider.failing.refused > 0,
  },
  {
    code: 'provider_paid_late',
    level: 'broken',
    title: 'PayPal has paid an abandoned batch after all',
    action:
      'Its new payouts are held, unless they have left. Open the batch on the payouts screen: it names the sellers who were paid twice.',
    section: PROVIDER_SECTION,
    applies: ({ provider }) => provider !== null && provider.failing.paidLate > 0,
  },
  {
    code: 'provider_unclear',
    level: 'broken',
    title: 'Somebody has to look at batches at PayPal',
    action: ({ provider }) =>
      `${provider?.failing.unclear === 1 ? 'One batch is' : `${provider?.failing.unclear} batches are`} refused, held, or reported differently. Open them on the payouts screen.`,
    section: PROVIDER_SECTION,
    applies: ({ provider }) => provider !== null && provider.failing.unclear > 0,
  },
  {
    code: 'provider_silent',
    level: 'broken',
    title: 'PayPal has not confirmed a batch for a long time',
    action:
      'It is sent again until PayPal answers. Do not pay its payouts another way. Check PayPal’s status page.',
    section: PROVIDER_SECTION,
    applies: ({ provider }) => provider !== null && provider.failing.sending > 0,
  },
  {
    code: 'provider_short',
    level: 'broken',
    title: 'The PayPal account has less money than has to be sent',
    action: 'Add money to it. Batches above its balance wait, and PayPal may deny them.',
    section: PROVIDER_SECTION,
    applies: ({ provider }) => provider?.problem === 'short',
  },
  {
    code: 'photos_unreachable',
    level: 'broken',
    title: 'The photo store does not answer, or it is another one',
    action:
      'Sellers cannot submit cards until it is back. Check that its disk is mounted, or that the bucket exists.',
    section: 'Troubleshooting',
    applies: ({ photos }) => !photos.reachable,
  },
  {
    code: 'smtp_failing',
    level: 'broken',
    title: 'The mail server does not accept our mail',
    action: 'Check SMTP_URL. No mail is lost: each is tried again for more than a day.',
    section: 'Mail',
    applies: ({ mail }) => mail.error !== null,
  },
  {
    code: 'backup_late',
    level: 'broken',
    title: 'The newest backup is too old, or there is none',
    action: 'Read in the log why the last one failed. Then run: ./unspent admin backup',
    section: 'Backup and restore',
    applies: ({ backups: { to, newestAt, everyHours }, startedAt }) =>
      // The server looks for the newest one, and makes one if needed, right after its start.
      to !== null &&
      Date.now() - (newestAt ?? startedAt).getTime() > (newestAt ? everyHours + 2 : 1) * HOUR_MS,
  },
  {
    code: 'jobs_given_up',
    level: 'broken',
    title: 'Some mails and other jobs have failed for good',
    action: 'Find the cause, then retry or discard each one on this page.',
    section: 'Mail',
    applies: ({ jobs }) => jobs.total > 0,
  },
  {
    code: 'jobs_late',
    level: 'broken',
    title: 'Mails and other jobs are late',
    action: 'Look for “job failed” in the log.',
    section: 'Mail',
    applies: ({ mail }) => mail.lateSeconds > 15 * 60,
  },
  {
    code: 'backups_off',
    level: 'unsafe',
    title: 'No backups are scheduled',
    action: 'Make a key pair with age, then set BACKUP_TO and BACKUP_RECIPIENT.',
    section: 'Backup and restore',
    applies: ({ backups }) => backups.to === null,
  },
  {
    code: 'public_url_not_https',
    level: 'unsafe',
    title: 'PUBLIC_URL does not use https',
    action:
      'Passwords and card numbers cross the network unencrypted. Put a proxy with a certificate in front.',
    section: 'On one small server',
    applies: ({ config: { publicUrl } }) =>
      publicUrl?.startsWith('http:') === true && !isLoopback(new URL(publicUrl).hostname),
  },
  {
    code: 'public_url_unset',
    level: 'unsafe',
    title: 'PUBLIC_URL is not set',
    action:
      'Links in mails lead to the address that the server listens on. Set it to the address of your site.',
    section: 'On one small server',
    applies: ({ config }) => config.publicUrl === undefined,
  },
  {
    code: 'smtp_unset',
    level: 'unsafe',
    title: 'SMTP_URL is not set, so nobody gets mail',
    action: 'Each mail is only a file in DATA_DIR/mail. Set SMTP_URL, then send a test email from this page.',
    section: 'Mail',
    applies: ({ mail }) => !mail.smtp,
  },
  {
    code: 'proxy_untrusted',
    level: 'unsafe',
    title: 'HOST is open to the network, and TRUST_PROXY is off',
    action:
      'Behind a proxy, all visitors count as one for the limits: set TRUST_PROXY to its address. Without one, set HOST to 127.0.0.1.',
    section: 'On one small server',
    applies: ({ config: { host, trustProxy } }) => !isLoopback(host) && trustProxy === false,
  },
  {
    code: 'metrics_open',
    level: 'unsafe',
    title: 'METRICS_HOST is open to the network',
    action: 'The metrics have no password. Make sure that only your monitoring reaches METRICS_PORT.',
    section: 'Metrics',
    applies: ({ config: { metricsPort, metricsHost } }) =>
      metricsPort !== undefined && !isLoopback(metricsHost),
  },
  {
    code: 'rate_limits_off',
    level: 'unsafe',
    title: 'RATE_LIMITS is off',
    action: 'Passwords can be guessed without a limit. Remove the setting.',
    section: 'Settings',
    applies: ({ config }) => !config.rateLimits,
  },
  {
    code: 'second_factor_optional',
    level: 'unsafe',
    title: 'Staff may sign in with a password alone',
    action: ({ staff: { withoutSecondFactor: count } }) =>
      count === 0
        ? 'Everybody has a second factor. Set REQUIRE_TOTP=on, so that it stays so.'
        : `${count === 1 ? 'One person has' : `${count} people have`} no second factor. Set REQUIRE_TOTP=on: they set one up at their next visit.`,
    section: 'Administrators',
    applies: ({ config }) => !config.requireTotp,
  },
  {
    code: 'keys_beside_data',
    level: 'unsafe',
    title: 'The keys are only in DATA_DIR, and the database is elsewhere',
    action: 'Keep a copy of DATA_DIR/keys in another place, and set SECRET_KEYS to its contents.',
    section: 'Keys',
    applies: ({ config }) => config.databaseUrl !== undefined && config.secretKeys === undefined,
  },
  {
    code: 'running_as_root',
    level: 'unsafe',
    title: 'The server runs as root',
    action: 'A fault in the server would give away the whole machine. Run it as a separate user.',
    section: 'On one small server',
    applies: ({ isRoot }) => isRoot,
  },
  {
    code: 'policies_stopped',
    level: 'advice',
    title: 'All policies are stopped',
    action: 'People decide on every card. Start them again under Policies.',
    section: 'Instant decisions',
    applies: ({ policiesStopped }) => policiesStopped,
  },
  {
    code: 'one_owner',
    level: 'advice',
    title: 'There is only one owner',
    action: 'If that person is unavailable, nobody can change the staff. Make a second person an owner.',
    section: 'Administrators',
    applies: ({ staff }) => staff.owners === 1,
  },
  {
    code: 'provider_balance_unknown',
    level: 'advice',
    title: 'The balance at PayPal is not known',
    action:
      'Nobody is warned before the money runs out. Turn on Transaction search in your app at PayPal, and check that PayPal answers.',
    section: PROVIDER_SECTION,
    applies: ({ provider }) => provider?.problem === 'unknown' || provider?.problem === 'old',
  },
  {
    code: 'automatic_payouts_blocked',
    level: 'advice',
    title: 'A policy wants to pay at once, and TWO_PERSON_RELEASE does not allow it',
    action:
      'Its payouts wait for people. Turn “Pays at once” off in the policy, or unset TWO_PERSON_RELEASE.',
    section: 'Automatic payouts',
    applies: ({ automaticPayoutsBlocked }) => automaticPayoutsBlocked,
  },
  {
    code: 'bounces_unset',
    level: 'advice',
    title: 'Nobody notices mail that does not arrive',
    action: 'Set BOUNCE_SECRET, and let your mail provider report undelivered mail.',
    section: 'Mail that does not arrive',
    applies: ({ config, mail }) => mail.smtp && config.bounceSecret === undefined,
  },
  {
    code: 'contacts_unset',
    level: 'advice',
    title: 'Some contact details are missing',
    action: ({ unsetContacts }) =>
      `Set ${unsetContacts.join(', ')}. Until then pages lead to the contact form.`,
    section: 'Contact details',
    applies: ({ unsetContacts }) => unsetContacts.length > 0,
  },
]

export function findingsOf(facts: Facts): Finding[] {
  return checks
    .filter(({ applies }) => applies(facts))
    .map(({ applies: _, action, ...check }) => ({
      ...check,
      action: typeof action === 'function' ? action(facts) : action,
    }))
}
