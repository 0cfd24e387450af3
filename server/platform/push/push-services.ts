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
export function isPushService(endpoint: string, more: readonly string[]): boolean {
  const url = URL.parse(endpoint)
  if (!url || url.username || url.password) return false
  if (more.includes(url.origin)) return true
  return url.protocol === 'https:' && url.port === '' && HOSTS.some((host) => isHost(url.hostname, host))
}

function isHost(name: string, host: string): boolean {
  return host.startsWith('*.') ? name.endsWith(host.slice(1)) : name === host
}
