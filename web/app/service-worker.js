// Shows notifications, and the offline page when there is no connection. It answers nothing else from its cache, so no tab
// ever sees files of an earlier release. The build fills in the version and the pages (web/app/build/installable.ts).

/** Changes with the offline pages. */
const CACHE = 'offline-{{version}}'
const PAGES = ['{{pages}}']

/** Never touched: calls, photos, files with a hash in their name, and the staff area. */
const LEFT_ALONE = /^\/(api|uploads|ws|assets|admin)(\/|$)/

addEventListener('install', (event) => {
  event.waitUntil(install())
})

async function install() {
  const cache = await caches.open(CACHE)
  await cache.addAll(PAGES.map((page) => new Request(page, { cache: 'reload' })))
  await skipWaiting()
}

addEventListener('activate', (event) => {
  event.waitUntil(deleteOldCaches())
})

async function deleteOldCaches() {
  const names = await caches.keys()
  await Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name)))
}

addEventListener('fetch', (event) => {
  const { mode, method, url } = event.request
  const { pathname } = new URL(url)
  if (mode !== 'navigate' || method !== 'GET' || LEFT_ALONE.test(pathname)) return
  event.respondWith(fetch(event.request).catch(() => offlinePage(pathname)))
})

/** In the language of the page that could not be fetched. */
async function offlinePage(pathname) {
  const [, language] = pathname.split('/')
  const cache = await caches.open(CACHE)
  return (await cache.match(`/${language}/offline`)) ?? (await cache.match('/offline')) ?? Response.error()
}

addEventListener('push', (event) => {
  // Browsers end a subscription whose pushes show nothing, so even an open tab gets a notification.
  const { title, path, ...options } = event.data.json()
  event.waitUntil(
    registration.showNotification(title, {
      ...options,
      icon: '/icon-192.png',
      badge: '/badge-96.png',
      renotify: true,
      data: { path },
    }),
  )
})

addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(show(new URL(event.notification.data.path, location.origin).href))
})

/** Only a tab with the same address is used again: in another one the seller may be filling in a form. */
async function show(address) {
  const tabs = await clients.matchAll({ type: 'window', includeUncontrolled: true })
  const open = tabs.find(({ url }) => url === address)
  await (open ? open.focus() : clients.openWindow(address))
}

/** The browser has replaced its subscription. */
addEventListener('pushsubscriptionchange', (event) => {
  event.waitUntil(renew(event.oldSubscription, event.newSubscription))
})

async function renew(old, given) {
  const renewed = given ?? (old && (await registration.pushManager.subscribe(old.options)))
  if (!renewed) return
  await fetch('/api/user/push-subscriptions', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(renewed),
  })
}
