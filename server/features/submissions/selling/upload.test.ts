import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import sharp from 'sharp'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { PhotoDecoder } from '#server/platform/photos/photo-decoder.ts'
import { createTestApp, type TestApp } from '#test/app.ts'
import { encodeMultipart } from '#test/multipart.ts'
import type { Person } from '#test/person.ts'
import { RawConnection } from '#test/raw-request.ts'
import { gridHeic } from '#test/sample-heic.ts'
import { amazonCard, field, image, photo, submissionParts, submit } from '#test/submissions.ts'

const MB = 1024 * 1024

let server: TestApp
let seller: Person
beforeAll(async () => {
  server = await createTestApp()
  seller = await server.seller()
})

const uploadOf = (photos: Buffer[]) => encodeMultipart(submissionParts({}, photos))

/** Sends an upload except for its last 100 bytes. */
async function beginUpload(
  person: Person,
  { payload, contentType }: ReturnType<typeof uploadOf>,
): Promise<RawConnection> {
  const head =
    `POST /api/gift-cards HTTP/1.1\r\nhost: x\r\ncookie: ${person.cookieHeader}\r\n` +
    `content-type: ${contentType}\r\ncontent-length: ${payload.length}\r\n\r\n`
  const connection = await RawConnection.open(await server.listen())
  connection.say(Buffer.concat([Buffer.from(head), payload.subarray(0, -100)]))
  return connection
}

/** 2 MB of noise. */
const largePhoto = () =>
  sharp({
    create: {
      width: 1600,
      height: 1200,
      channels: 3,
      background: 'white',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  })
    .jpeg({ quality: 97 })
    .toBuffer()

const before = async () => {
  const { rows } = await server.pool.query(
    'select (select count(*) from gift_cards) as cards, (select count(*) from photos) as photos',
  )
  return rows
}

describe('photos', () => {
  it.each([
    ['text named .jpg', Buffer.from('not a photo'), 415],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 415],
    ['an empty file', Buffer.alloc(0), 415],
    ['11 MB', Buffer.alloc(11 * 1024 * 1024, 1), 413],
  ])('of the kind %s are refused, and nothing is kept', async (_name, bytes, status) => {
    const kept = await before()
    const answer = await submit(seller, {}, { photos: [await photo(), bytes] })
    expect(answer.status).toBe(status)
    expect(await before()).toEqual(kept)
  })

  it('are limited to ten', async () => {
    const kept = await before()
    const one = await photo()
    const answer = await submit(seller, {}, { photos: Array(11).fill(one) })
    expect(answer.status).toBe(400)
    expect(answer.json.errors).toEqual([
      {
        path: 'images',
        message: 'At most 10 photos can be sent',
        code: 'too_many_photos',
        params: { maximum: 10 },
      },
    ])
    expect(await before()).toEqual(kept)
    expect((await submit(seller, {}, { photos: Array(10).fill(one) })).json.giftCard.images).toHaveLength(10)
  })

  it('that need too much memory are refused with advice', async () => {
    const kept = await before()
    const answer = await submit(seller, {}, { photos: [await gridHeic({ width: 5800, height: 4500 })] })
    expect(answer.status).toBe(413)
    expect(await before()).toEqual(kept)
    expect(answer.json).toMatchObject({
      code: 'too_large',
      errors: [{ path: 'images', message: expect.stringContaining('save it as a JPEG') }],
    })
  })

  it('are refused with texts that are not UTF-8', async () => {
    const kept = await before()
    const { payload, contentType } = encodeMultipart(submissionParts({}, [await photo()]))
    const at = payload.indexOf('A birthday present')
    payload.write('\xe9\xff', at, 'latin1')
    const headers = { 'content-type': contentType }
    const answer = await seller.send({ method: 'POST', url: '/api/gift-cards', payload, headers })
    expect([answer.status, answer.json.errors]).toEqual([
      400,
      [{ path: 'submissionNotes', message: 'This text is not UTF-8', code: 'text_not_utf8' }],
    ])
    expect(await before()).toEqual(kept)
  })

  it('are refused with Retry-After while too many arrive at once', async () => {
    // Together more than the memory for uploads.
    const upload = uploadOf([Buffer.alloc(9 * MB)])
    const open = await Promise.all(Array.from({ length: 8 }, () => beginUpload(seller, upload)))
    const photos = [Buffer.alloc(MB)]
    const refused = async () => (await submit(seller, {}, { photos })).status === 503
    await expect.poll(refused).toBe(true)
    const kept = await before()
    const answer = await submit(seller, {}, { photos })
    expect([answer.status, answer.json.code, answer.headers['retry-after']]).toEqual([503, 'busy', '5'])
    expect(await before()).toEqual(kept)
    for (const connection of open) connection.close()
    await expect.poll(async () => (await submit(seller)).status).toBe(201)
  })

  it('of a seller who fills the memory and stalls do not block another seller', async () => {
    const other = await server.seller()
    const upload = uploadOf([Buffer.alloc(9 * MB)])
    const open = await Promise.all(Array.from({ length: 8 }, () => beginUpload(seller, upload)))
    const isFull = async () => (await submit(seller, {}, { photos: [Buffer.alloc(MB)] })).status === 503
    await expect.poll(isFull).toBe(true)
    expect((await submit(other, {}, { photos: [await largePhoto(), await largePhoto()] })).status).toBe(201)
    // Uploads that lost their memory are refused; the others are read to the end and are not photos.
    for (const connection of open) connection.say(upload.payload.subarray(-100))
    const answered = (status: number) =>
      open.filter(({ heard }) => heard.includes(`HTTP/1.1 ${status}`)).length
    await expect.poll(() => answered(503) + answered(415)).toBe(open.length)
    expect(answered(503)).toBeGreaterThan(0)
    for (const connection of open) connection.close()
  })
})

describe('an upload that loses its memory to another seller', () => {
  it('leaves no photos waiting for the decoder', async () => {
    const worker = join(server.folder, 'stuck-worker.mjs')
    await writeFile(worker, 'process.on("message", () => {}); process.send({ kind: "ready" })')
    const stuck = new PhotoDecoder({ worker: pathToFileURL(worker) })
    const decode = vi.spyOn(server.context.decoder, 'decode')
    decode.mockImplementation((...photo) => stuck.decode(...photo))
    const large = Buffer.concat([Buffer.from('ffd8ff', 'hex'), Buffer.alloc(9 * MB)])
    const unfinished = Buffer.alloc(200)

    const open: RawConnection[] = []
    onTestFinished(() => {
      for (const connection of open) connection.close()
      stuck.close()
      decode.mockRestore()
    })
    for (let waiting = 0; waiting <= 4; waiting += 2) {
      open.push(await beginUpload(seller, uploadOf([large, large, unfinished])))
      await expect.poll(() => stuck.load).toEqual({ running: 2, waiting })
    }
    open.push(await beginUpload(seller, uploadOf([large, unfinished])))
    await expect.poll(() => stuck.load.waiting).toBe(5)
    open.push(await beginUpload(await server.seller(), uploadOf([large])))
    await expect.poll(() => stuck.load.waiting).toBe(4)
  })
})

describe('a body that is not an upload', () => {
  it('is 415 as JSON, and a form is 415 where JSON is expected', async () => {
    expect((await seller.post('/api/gift-cards', amazonCard)).status).toBe(415)
    const form = [field('message', 'Hello')]
    const answer = await seller.upload('/api/contact/message', form)
    expect([answer.status, answer.json.message]).toEqual([415, 'The body must be JSON'])
    expect((await server.visitor().upload('/api/auth/login', form)).status).toBe(415)
  })

  it('ignores unknown fields and files', async () => {
    const parts = [
      ...submissionParts({}, [await photo(12)]),
      field('status', 'completed'),
      { ...image(await photo()), name: 'avatar' },
    ]
    const answer = await seller.upload('/api/gift-cards', parts)
    expect(answer.status).toBe(201)
    expect(answer.json.giftCard).toMatchObject({ status: 'pending' })
    expect(answer.json.giftCard.images).toHaveLength(1)
  })

  it('is not a 500 with a field named __proto__', async () => {
    const parts = [...submissionParts({}, [await photo(13)]), field('__proto__', 'x')]
    expect((await seller.upload('/api/gift-cards', parts)).status).toBe(400)
  })
})
