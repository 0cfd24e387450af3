import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '#test/app.ts'
import type { Person } from '#test/person.ts'
import { submit } from '#test/submissions.ts'

let server: TestApp
let seller: Person
beforeAll(async () => {
  server = await createTestApp()
  seller = await server.seller()
})

describe('the photos of a submission', () => {
  it('are seen by their seller and by staff, upright, without metadata, and by nobody else', async () => {
    const sideways = await sharp({ create: { width: 60, height: 40, channels: 3, background: 'red' } })
      .withExif({ IFD0: { Copyright: 'EXIF-CANARY' }, IFD3: { GPSLatitude: '51/1 30/1 0/1' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    const answer = await submit(seller, {}, { photos: [sideways] })
    const [own] = answer.json.giftCard.images
    const staff = await server.staff()
    const { json: seen } = await staff.get(`/api/admin/submissions/${answer.json.giftCard.id}`)
    expect(seen.images[0]).toMatch(/^\/uploads\//)
    expect(seen.imageUrl).toEqual(seen.images)
    const path = seen.images[0].replace('/uploads/', '')

    const viewed = await staff.get(`/api/admin/view/${path}`)
    expect(viewed.status).toBe(200)
    expect(viewed.headers['content-type']).toBe('image/jpeg')
    expect(viewed.headers['cache-control']).toBe('no-store')
    expect(viewed.headers['content-security-policy']).toContain('sandbox')
    expect(viewed.bytes.toString('latin1')).not.toContain('EXIF-CANARY')
    const { width, height, exif } = await sharp(viewed.bytes).metadata()
    expect({ width, height, exif }).toEqual({ width: 40, height: 60, exif: undefined })

    const downloaded = await staff.get(`/api/admin/download/${path}`)
    expect(downloaded.headers['content-disposition']).toContain('attachment')
    expect((await seller.get(`${own}?size=thumbnail`)).status).toBe(200)

    const stranger = await server.seller()
    const others = await stranger.get(own)
    const missing = await stranger.get('/api/user/images/AAAAAAAAAAAAAAAAAAAAAAAA.jpg')
    expect(others.status).toBe(404)
    expect(others.text).toBe(missing.text)
  })

  it.each(['../../keys', '..%2f..%2fkeys', '%2e%2e/keys', 'x%00.jpg', '....//keys', '/etc/passwd'])(
    'are not found by %s',
    async (path) => {
      const staff = await server.staff()
      for (const kind of ['view', 'download']) {
        expect((await staff.get(`/api/admin/${kind}/${path}`)).status).toBe(404)
      }
    },
  )
})
