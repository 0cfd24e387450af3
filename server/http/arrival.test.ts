import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { createTestApp, type TestApp } from '#test/app.ts'
import { encodeMultipart } from '#test/multipart.ts'
import { RawConnection, sayRaw } from '#test/raw-request.ts'
import { photo, submissionParts } from '#test/submissions.ts'
import { MAX_JSON_DEPTH } from './arrival.ts'

let server: TestApp
let url: string
beforeAll(async () => {
  server = await createTestApp({
    arrival: { headersMs: 300, jsonMs: 300, requestMs: 60_000, stallMs: 300, drainMs: 300 },
  })
  url = await server.listen()
})

afterEach(() => void vi.restoreAllMocks())

const login = (headers: string) =>
  `POST /api/auth/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n${headers}\r\n\r\n`

describe('a request that arrives slowly', () => {
  it('is refused and disconnected during its headers', async () => {
    const heard = await sayRaw(url, 'GET /api/brands HTTP/1.1\r\nhost: x\r\nx-slow: ')
    expect(heard).toContain('408 Request Timeout')
    expect(heard).toContain('"code":"too_slow"')
  })

  it('is refused and disconnected during its JSON', async () => {
    const heard = await sayRaw(url, `${login('content-length: 100')}{"email":`)
    expect(heard).toContain('408 Request Timeout')
    expect(heard).toContain('"code":"too_slow"')
  })

  it('does not block others', async () => {
    const slow = await Promise.all(Array.from({ length: 50 }, () => RawConnection.open(url)))
    for (const connection of slow) connection.say('GET / HTTP/1.1\r\n')
    expect((await server.visitor().get('/healthz')).status).toBe(200)
    for (const connection of slow) connection.close()
  })
})

describe('a request without a length', () => {
  it('is still limited, and disconnected after the drain time', async () => {
    const connection = await RawConnection.open(url)
    connection.say(login('transfer-encoding: chunked'))
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`
    for (let i = 0; i < 6; i++) connection.say(chunk)
    await connection.ended
    expect(connection.heard).toContain('413 Payload Too Large')
  })

  it('is disconnected after the drain time if its body is refused', async () => {
    const heard = await sayRaw(
      url,
      'POST /api/gift-cards HTTP/1.1\r\nhost: x\r\ncontent-type: multipart/form-data; boundary=x\r\n' +
        'transfer-encoding: chunked\r\n\r\n5\r\nhello\r\n',
    )
    expect(heard).toContain('401 Unauthorized')
  })
})

describe('a body that is too large', () => {
  let patient: string
  beforeAll(async () => {
    patient = await (await createTestApp()).listen()
  })
  const form = (bytes: number) => JSON.stringify({ message: 'x'.repeat(bytes) })

  it.each([300_000, 20_000_000])('of %d bytes gets a 413 that the client can read', async (bytes) => {
    const post = (body: BodyInit) =>
      fetch(`${patient}/api/contact`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
        ...(body instanceof ReadableStream && { duplex: 'half' }),
      })
    for (const body of [form(bytes), new Blob([form(bytes)]).stream()]) {
      const answer = await post(body)
      expect([answer.status, await answer.json()]).toMatchObject([413, { code: 'too_large' }])
    }
    const curl = ['-sS', '-H', 'content-type: application/json', '-H', 'expect:', '--data-binary', '@-']
    const { stdin, stdout } = spawn('curl', [...curl, `${patient}/api/contact`])
    // curl stops sending once it has the answer.
    stdin.on('error', () => {}).end(form(bytes))
    expect(JSON.parse(await text(stdout)).code).toBe('too_large')
    const connection = await RawConnection.open(patient)
    await connection.sayBeforeReading(login(`content-length: ${bytes}`) + 'x'.repeat(bytes))
    await expect.poll(() => connection.heard).toContain('413 Payload Too Large')
    connection.close()
  })

  it('leaves the connection usable for the next request', async () => {
    const connection = await RawConnection.open(patient)
    connection.say(`${login('content-length: 300000')}${'x'.repeat(300_000)}`)
    await expect.poll(() => connection.heard).toContain('413 Payload Too Large')
    connection.say('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n')
    await expect.poll(() => connection.heard).toContain('200 OK')
    connection.close()
  })
})

describe('malformed chunks', () => {
  it.each([
    ['application/json', '/api/auth/login'],
    ['multipart/form-data; boundary=x', '/api/gift-cards'],
  ])('are refused without an error in the log: %s', async (type, path) => {
    const logged = vi.spyOn(server.context.log, 'error')
    const seller = await server.seller()
    const head =
      `POST ${path} HTTP/1.1\r\nhost: x\r\ncookie: ${seller.cookieHeader}\r\n` +
      `content-type: ${type}\r\ntransfer-encoding: chunked\r\n\r\n`
    for (const chunk of ['5;\x01\r\nhello\r\n', 'zz\r\n', 'fffffffffffffffffff\r\n', '5\r\nhelloXX']) {
      expect(await sayRaw(url, head + chunk), chunk).toMatch(/^HTTP\/1.1 400|^$/)
    }
    expect(logged).not.toHaveBeenCalled()
  })
})

describe('an upload', () => {
  const upload = (cookie: string, headers: string) =>
    `POST /api/gift-cards HTTP/1.1\r\nhost: x\r\ncookie: ${cookie}\r\n` +
    `content-type: multipart/form-data; boundary=x\r\n${headers}\r\n\r\n`

  it('that announces too large a length is refused before it is read', async () => {
    const seller = await server.seller()
    const connection = await RawConnection.open(url)
    connection.say(upload(seller.cookieHeader, 'content-length: 999999999'))
    await expect.poll(() => connection.heard).toContain('413 Payload Too Large')
    connection.close()
  })

  it.each([
    ['sends nothing', ''],
    ['sends a byte now and then', 'x'],
  ])('that %s is disconnected, and nothing is kept', async (_name, drop) => {
    const seller = await server.seller()
    const connection = await RawConnection.open(url)
    const part = '--x\r\ncontent-disposition: form-data; name="brand"\r\n\r\nama'
    connection.say(`${upload(seller.cookieHeader, 'content-length: 5000')}${part}`)
    const dripping = setInterval(() => connection.say(drop), 50)
    await connection.ended.finally(() => clearInterval(dripping))
    expect(connection.heard).not.toContain('HTTP/1.1 2')
    expect((await seller.get('/api/user/gift-cards')).json).toEqual([])
  })

  it('of one endless part is disconnected', async () => {
    const seller = await server.seller()
    const connection = await RawConnection.open(url)
    connection.say(upload(seller.cookieHeader, 'transfer-encoding: chunked'))
    const mebibyte = `100000\r\n${'x'.repeat(0x100000)}\r\n`
    let ended = false
    void connection.ended.then(() => {
      ended = true
    })
    let sent = 0
    for (; sent < 200 && !ended; sent++) {
      connection.say(mebibyte)
      await new Promise((resolve) => setImmediate(resolve))
    }
    await connection.ended
    expect((await server.visitor().get('/healthz')).status).toBe(200)
  })
})

it('refuses an upload that ends too early, wherever it ends', async () => {
  const seller = await server.seller()
  const { payload, contentType } = encodeMultipart(submissionParts({}, [await photo(), await photo(90)]))
  const step = Math.ceil(payload.length / 60)
  for (let length = 0; length < payload.length - 4; length += step) {
    const answer = await seller.send({
      method: 'POST',
      url: '/api/gift-cards',
      payload: payload.subarray(0, length),
      headers: { 'content-type': contentType },
    })
    expect([400, 415], `${length} of ${payload.length} bytes: ${answer.text}`).toContain(answer.status)
  }
})

describe('malformed HTTP', () => {
  it.each([
    ['nonsense', 'hello\r\n\r\n', '400 Bad Request'],
    ['huge headers', `GET / HTTP/1.1\r\nhost: x\r\nx-a: ${'a'.repeat(70_000)}\r\n\r\n`, '431 '],
    [
      'two lengths',
      'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\na',
      '400 Bad Request',
    ],
    [
      'a length beside chunks',
      'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
      '400 Bad Request',
    ],
    ['a header over two lines', 'GET / HTTP/1.1\r\nhost: x\r\nx-a: 1\r\n evil: 2\r\n\r\n', '400 Bad Request'],
  ])('gets the usual error body: %s', async (_name, said, status) => {
    const heard = await sayRaw(url, said)
    expect(heard).toContain(status)
    expect(heard).toContain('"code":"invalid"')
  })
})

it('answers a malformed HEAD request without a body', async () => {
  const heard = await sayRaw(url, `HEAD / HTTP/1.1\r\nhost: x\r\nx-a: ${'a'.repeat(20_000)}\r\n\r\n`)
  expect(heard).toMatch(/^HTTP\/1.1 431 [^{]*\r\n\r\n$/)
})

describe('JSON', () => {
  const nested = (depth: number) => `{"email":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`
  const post = (payload: string | Buffer) =>
    server.visitor().send({
      method: 'POST',
      url: '/api/auth/login',
      payload,
      headers: { 'content-type': 'application/json' },
    })

  it('may only be nested up to the limit', async () => {
    expect((await post(nested(MAX_JSON_DEPTH))).json.message).not.toContain('nested')
    for (const depth of [MAX_JSON_DEPTH + 1, 100_000]) {
      const answer = await post(nested(depth))
      expect([answer.status, answer.json.message]).toEqual([400, 'The body is nested too deeply'])
    }
  })

  it('may contain brackets and quotes in strings', async () => {
    const email = `${'[{"\\'.repeat(30)}@x.example`
    expect((await post(JSON.stringify({ email, password: 'x' }))).json.message).not.toContain('nested')
  })

  it('must be UTF-8', async () => {
    const answer = await post(Buffer.from('{"email":"\xff\xfe"}', 'latin1'))
    expect([answer.status, answer.json.message]).toEqual([400, 'The body must be UTF-8'])
  })
})
