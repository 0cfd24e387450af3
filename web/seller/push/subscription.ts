import { routes } from '#contract/routes.ts'
import { call } from '#web/wire/call.ts'
import { registerServiceWorker } from './service-worker.ts'

/** `install`: iOS takes pushes only for sites on the home screen. */
export type PushStatus = 'on' | 'off' | 'blocked' | 'install' | 'unsupported'

/** Whether this browser gets pushes, as far as both it and the server know. */
export async function readPushStatus(): Promise<PushStatus> {
  if (typeof PushManager === 'undefined' || typeof Notification === 'undefined' || !navigator.serviceWorker) {
    return isAppleMobile() ? 'install' : 'unsupported'
  }
  if (Notification.permission === 'denied') return 'blocked'
  if (Notification.permission === 'default') return 'off'
  const registration = await navigator.serviceWorker.getRegistration()
  const subscription = await registration?.pushManager.getSubscription()
  const { endpoint, publicKey } = await call(routes.pushState, {})
  return subscription && subscription.endpoint === endpoint && isFor(subscription, publicKey) ? 'on' : 'off'
}

/**
 * Asks for permission, which browsers allow only right after a press, and subscribes.
 * @throws if the browser or the server refuses
 */
export async function turnOnPushes(): Promise<PushStatus> {
  const permission = await Notification.requestPermission()
  if (permission !== 'granted') return permission === 'denied' ? 'blocked' : 'off'
  const { pushManager } = await readyWorker()
  const { publicKey } = await call(routes.pushState, {})
  const earlier = await pushManager.getSubscription()
  if (earlier && !isFor(earlier, publicKey)) await earlier.unsubscribe()
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
  const { endpoint, keys = {} } = subscription.toJSON()
  const { p256dh = '', auth = '' } = keys
  await call(routes.subscribeToPushes, { body: { endpoint: endpoint ?? '', keys: { p256dh, auth } } })
  return 'on'
}

/** Tells the server first: if the browser then fails to unsubscribe, it still gets no pushes. */
export async function turnOffPushes(): Promise<PushStatus> {
  await call(routes.unsubscribeFromPushes, {})
  const registration = await navigator.serviceWorker.getRegistration()
  await (await registration?.pushManager.getSubscription())?.unsubscribe()
  return 'off'
}

async function readyWorker(): Promise<ServiceWorkerRegistration> {
  await registerServiceWorker()
  return await navigator.serviceWorker.ready
}

/** Whether the subscription was made with the site's current key. */
function isFor({ options }: PushSubscription, publicKey: string): boolean {
  const key = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer())
  const base64 = btoa(String.fromCharCode(...key))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
  return base64.replace(/=+$/, '') === publicKey
}

/** iPads say that they are Macs, but Macs have no touch screen. */
function isAppleMobile(): boolean {
  const { userAgent, maxTouchPoints } = navigator
  return /iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1)
}
