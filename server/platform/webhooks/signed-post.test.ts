import { afterEach, expect, it, vi } from 'vitest'
import { WebhookReceiver } from '#test/webhook-receiver.ts'
import { allowedAddresses, newWebhookSecret, postSigned, signatureOf } from './signed-post.ts'

afterEach(() => {
  vi.useRealTimers()
})

it('signs as the Standard Webhooks scheme does', () => {
  // The example of https://github.com/standard-webhooks/standard-webhooks, libraries/python/tests.
  const signed = 'msg_p5jXN8AQM9LWM0D4loKWxJek.1614265330.{"test": 2432232314}'
  expect(signatureOf('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', signed)).toBe(
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  )
})

const at = (...addresses: string[]) => ({
  allowPrivate: false,
  resolve: async () => addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
})

it.each([
  '127.0.0.1',
  '10.1.2.3',
  '172.16.0.1',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '0.0.0.0',
  '224.0.0.1',
  '255.255.255.255',
  '::1',
  '::',
  'fe80::1',
  'fd00::1',
  '::ffff:10.0.0.1',
  '64:ff9b::a00:1',
  '2002:a00:1::',
  'ff02::1',
])('refuses %s, also beside a public address', async (address) => {
  const url = new URL('https://hooks.example/')
  await expect(allowedAddresses(url, at('93.184.215.14', address))).rejects.toMatchObject({
    code: 'private_address',
  })
})

it.each([
  'http://127.1/',
  'http://0x7f.0.0.1/',
  'http://2130706433/',
  'https://[::1]/',
  'https://localhost/',
])('refuses %s, however it is written', async (url) => {
  await expect(allowedAddresses(new URL(url), { allowPrivate: false })).rejects.toMatchObject({
    code: 'private_address',
  })
})

it('takes public addresses over https, and nothing there over http', async () => {
  const resolved = at('93.184.215.14', '2606:2800:21f:cb07::1')
  expect(await allowedAddresses(new URL('https://hooks.example/'), resolved)).toHaveLength(2)
  for (const allowPrivate of [false, true])
    await expect(
      allowedAddresses(new URL('http://hooks.example/'), { ...resolved, allowPrivate }),
    ).rejects.toMatchObject({ code: 'not_https' })
})

const message = { id: 'one', body: '{}', secrets: [newWebhookSecret(Buffer.alloc(32, 1))] }

it('connects to the address that was checked, whatever the name means next', async () => {
  const receiver = await WebhookReceiver.start()
  let asked = 0
  const resolve = async () => {
    asked += 1
    return [{ address: asked === 1 ? '127.0.0.1' : '192.0.2.1', family: 4 }]
  }
  const { port } = new URL(receiver.url)
  const url = new URL(`http://rebound.invalid:${port}/hook`)
  expect(await postSigned(url, message, { allowPrivate: true, resolve })).toBe(204)
  expect(asked).toBe(1)
  expect(receiver.received[0]?.headers.host).toBe(`rebound.invalid:${port}`)
})

it('follows no redirect, and does not read an endless answer', async () => {
  const receiver = await WebhookReceiver.start()
  const url = new URL(receiver.url)
  receiver.answer = 302
  expect(await postSigned(url, message, { allowPrivate: true })).toBe(302)
  receiver.answer = 'endless'
  expect(await postSigned(url, message, { allowPrivate: true })).toBe(200)
  expect(receiver.received.map(({ path }) => path)).toEqual(['/hook', '/hook'])
})

it('gives a slow receiver and a slow name server ten seconds, and says what failed', async () => {
  const receiver = await WebhookReceiver.start()
  receiver.answer = 'hang'
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
    const aborting = new AbortController()
    setTimeout(() => aborting.abort(), 200)
    return aborting.signal
  })
  const post = (url: string, options = {}) =>
    postSigned(new URL(url), message, { allowPrivate: true, ...options })
  await expect(post(receiver.url)).rejects.toMatchObject({ code: 'timeout' })
  await expect(post(receiver.url, { resolve: () => new Promise(() => {}) })).rejects.toMatchObject({
    code: 'timeout',
  })
  expect(timeout).toHaveBeenCalledWith(10_000)
  timeout.mockRestore()
  await expect(post('http://127.0.0.1:1/')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  await expect(post('https://nowhere.invalid/')).rejects.toMatchObject({ code: 'no_such_host' })
})
