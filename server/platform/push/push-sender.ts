import webPush, { type Urgency } from 'web-push'
import type { Site } from '#server/platform/config/site.ts'
import { inSpan } from '#server/platform/trace.ts'
import type { PushKey } from './push-key.ts'

/** Sends pushes to the push services of browsers. */
export interface PushSender {
  /** In base64url. Browsers take only pushes that its owner has signed. */
  readonly publicKey: string
  /** Whether the server sends to this address. */
  accepts(endpoint: string): boolean
  /**
   * Resolves when the push service has taken the push.
   * @returns false if the subscription has ended
   * @throws for any other answer, and when there is none in time; the push may be sent again
   */
  send(subscription: PushSubscription, push: Push): Promise<boolean>
}

interface PushSubscription {
  readonly endpoint: string
  readonly p256dh: string
  readonly auth: string
}

interface Push {
  /** Encrypted for the browser. */
  readonly payload: object
  /** A newer push with the same one replaces it while the browser is away. At most 32 characters of base64url. */
  readonly topic: string
  readonly urgency: Urgency
  /** Seconds that the push service keeps it. */
  readonly ttl: number
}

const TIMEOUT_MS = 10_000

/** @param services origins of push services besides those of the known browsers */
export function createPushSender(
  { publicKey, privateKey }: PushKey,
  services: readonly string[],
  site: Pick<Site, 'supportEmail' | 'publicUrl'>,
): PushSender {
  const accepts = (endpoint: string) => isPushService(endpoint, services)
  return {
    publicKey,
    accepts,
    async send({ endpoint, p256dh, auth }, { payload, topic, urgency, ttl }) {
      if (!accepts(endpoint)) return false
      const { headers, body } = webPush.generateRequestDetails(
        { endpoint, keys: { p256dh, auth } },
        JSON.stringify(payload),
        {
          vapidDetails: { subject: subjectOf(site), publicKey, privateKey },
          contentEncoding: 'aes128gcm',
          TTL: ttl,
          topic,
          urgency,
        },
      )
      const { 'Content-Length': _, ...sent } = headers
      const answer = await inSpan({ name: 'POST push', kind: 'client' }, () =>
        fetch(endpoint, {
          method: 'POST',
          headers: sent,
          body: body && new Uint8Array(body),
          redirect: 'manual',
          signal: AbortSignal.timeout(TIMEOUT_MS),
        }),
      )
      await answer.body?.cancel()
      if (answer.status === 404 || answer.status === 410) return false
      if (!answer.ok) throw new Error(`${new URL(endpoint).host} answered ${answer.status}`)
      return true
    },
  }
}

/**
 * The hosts at which browsers take pushes; `*.` stands for any subdomain. A client says where its pushes go, so the server
 * sends to no others.
 * Source: https://github.com/web-push-libs/web-push/issues/801
 */
const HOSTS = [
  // Chrome, Brave, Opera, Samsung Internet
  'fcm.googleapis.com',
  // Firefox
  'updates.push.services.mozilla.com',
  // Safari
  '*.push.apple.com',
  // Edge
  '*.notify.windows.com',
]

/** @param more further origins, which may be http */
function isPushService(endpoint: string, more: readonly string[]): boolean {
  const url = URL.parse(endpoint)
  if (!url || url.username || url.password) return false
  if (more.includes(url.origin)) return true
  return url.protocol === 'https:' && url.port === '' && HOSTS.some((host) => isHost(url.hostname, host))
}

function isHost(name: string, host: string): boolean {
  return host.startsWith('*.') ? name.endsWith(host.slice(1)) : name === host
}

/** The contact address for push services. Apple accepts only an https address or an email address. */
function subjectOf({ supportEmail, publicUrl }: Pick<Site, 'supportEmail' | 'publicUrl'>): string {
  if (supportEmail) return `mailto:${supportEmail}`
  return publicUrl.startsWith('https:') ? publicUrl : 'mailto:no-reply@localhost'
}
