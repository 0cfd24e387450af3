import { EventEmitter, once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import WebSocket, { WebSocketServer } from 'ws'
import { closeCodes, type LiveMessage } from '#contract/live.ts'
import { Sockets } from './sockets.ts'

const MESSAGES = 60
/** A few of these messages are more than the system buffers for a client. */
const large = { type: 'STATUS_UPDATE', filling: 'x'.repeat(500_000) } as unknown as LiveMessage

it('disconnects a client that does not read, without delaying others', async () => {
  const sockets = new Sockets()
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  await once(server, 'listening')
  onTestFinished(() => {
    sockets.stop()
    sockets.cutAll()
    server.close()
  })
  server.on('connection', (socket) => sockets.add(socket, [{ audience: 'staff', owner: 'staff' }]))
  const open = async () => {
    const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
    await once(client, 'open')
    return client
  }
  const [reader, sleeper] = [await open(), await open()]
  let [read, slept] = [0, 0]
  reader.on('message', () => read++)
  sleeper.on('message', () => slept++)
  sleeper.pause()

  for (let sent = 1; sent <= MESSAGES; sent++) {
    sockets.handle({ deliver: [{ to: 'staff', message: large }] })
    while (read < sent) await turn()
  }
  sleeper.resume()
  const [code] = await once(sleeper, 'close')
  expect(code).toBe(closeCodes.tooSlow)
  expect(slept).toBeLessThan(MESSAGES)
  expect(read).toBe(MESSAGES)
  await expect.poll(() => sockets.size).toBe(1)
})

it('closes the sockets of sessions that are gone, within 30 seconds and by one query for all', async () => {
  vi.useFakeTimers()
  const sockets = new Sockets()
  onTestFinished(() => {
    sockets.stop()
    vi.useRealTimers()
  })
  const active = new Set(['a', 'b'])
  const secondsLeft = vi.fn(async (sids: readonly string[]) => {
    return new Map(sids.filter((sid) => active.has(sid)).map((sid) => [sid, 3600]))
  })
  const open = (sid: string) => {
    const socket = Object.assign(new EventEmitter(), {
      close: vi.fn(),
      ping: () => socket.emit('pong'),
    })
    const listener = { owner: sid, session: { sid, secondsLeft } }
    sockets.add(socket as unknown as WebSocket, [{ ...listener, audience: { userId: sid } }])
    return socket
  }
  const [first, second, third] = [open('a'), open('a'), open('b')]
  await vi.advanceTimersByTimeAsync(0)
  active.delete('a')
  secondsLeft.mockClear()
  secondsLeft.mockRejectedValueOnce(new Error('The database is away'))
  await vi.advanceTimersByTimeAsync(30_000)
  expect(secondsLeft.mock.calls).toEqual([[['a', 'b']], [['a', 'b']]])
  for (const { close } of [first, second])
    expect(close).toHaveBeenCalledWith(closeCodes.signedOut, 'Signed out')
  expect(third.close).not.toHaveBeenCalled()
})
