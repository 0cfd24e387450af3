import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { Page } from '@playwright/test'

/** A line between browser and server that can be cut in the middle of a call, which DevTools' "offline" does not. */
export async function openLine(site: string) {
  const sockets = new Set<Socket>()
  let isCut = false
  const proxy = createServer((near) => {
    if (isCut) return near.destroy()
    const far = connect(Number(new URL(site).port), '127.0.0.1')
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.pipe(to)
      // What is cut ends on both sides.
      from.on('error', () => undefined).on('close', () => to.destroy())
    }
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  function cut() {
    isCut = true
    for (const socket of sockets) socket.destroy()
    sockets.clear()
  }
  return {
    address: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    cut,
    mend: () => {
      isCut = false
    },
    close: () => {
      cut()
      proxy.close()
    },
  }
}

/** How fast the page may send, so that its progress can be watched. @returns lets it go at full speed again */
export async function slowDown(page: Page, bytesPerSecond: number): Promise<() => Promise<void>> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  const send = async (uploadThroughput: number) => {
    const conditions = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput }
    await session.send('Network.emulateNetworkConditions', conditions)
  }
  await send(bytesPerSecond)
  return () => send(-1)
}
