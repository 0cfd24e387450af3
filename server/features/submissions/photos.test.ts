import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import type { AuditEntry } from '#contract/audit.ts'
import { callLimits } from '#contract/route.ts'
import { createTestApp, type TestApp } from '#test/app.ts'
import type { Person } from '#test/person.ts'
import { photo, submit } from '#test/submissions.ts'

let server: TestApp
let seller: Person
beforeAll(async () => {
  server = await createTestApp()
  seller = await server.seller()
})

describe('the photos of a submission', () => {
  it('are shown to their seller and to staff only, upright and without metadata', async () => {
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

  it('are recorded in the audit log and count as reveals when staff open or download them in full size', async () => {
    const limited = await createTestApp({ limits: true })
    const [sally, ben] = [await limited.seller(), await limited.staff('ben')]
    const { giftCard } = (await submit(sally, {}, { photos: [await photo(1), await photo(200)] })).json
    const [first, second] = (await ben.get(`/api/admin/submissions/${giftCard.id}`)).json.images.map(
      (path: string) => path.replace('/uploads/', ''),
    )
    for (const path of [first, second]) await ben.get(`/api/admin/view/${path}?size=thumbnail`)
    await sally.get(giftCard.images[0])
    // Viewing the same photos again within 15 minutes is not recorded again.
    for (const path of [first, second, first]) await ben.get(`/api/admin/view/${path}`)
    await ben.get(`/api/admin/download/${second}`)
    const { json } = await ben.get(`/api/admin/audit?subject=${giftCard.id}`)
    expect(json.map(({ actor, action, details }: AuditEntry) => [actor, action, details])).toEqual([
      ['ben', 'submission.photo_downloaded', { photo: 2 }],
      ['ben', 'submission.photo_viewed', { photo: 2 }],
      ['ben', 'submission.photo_viewed', { photo: 1 }],
    ])

    const counted = "update rate_limits set points = $1 where key like 'reveal:%' returning points"
    const { points } = callLimits.reveal
    expect((await limited.pool.query(counted, [points])).rowCount).toBe(1)
    expect((await ben.get(`/api/admin/download/${first}`)).status).toBe(429)
    expect((await ben.get(`/api/admin/view/${first}?size=thumbnail`)).status).toBe(200)
    expect((await ben.post(`/api/admin/submissions/${giftCard.id}/reveal`)).status).toBe(429)
  })

  it.each(['../../keys', '..%2f..%2fkeys', '%2e%2e/keys', 'x%00.jpg', '....//keys', '/etc/passwd'])(
    'are 404 at %s',
    async (path) => {
      const staff = await server.staff()
      for (const kind of ['view', 'download']) {
        expect((await staff.get(`/api/admin/${kind}/${path}`)).status).toBe(404)
      }
    },
  )
})
