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

  it('are a reveal of each person who sees them in any size, recorded once in 24 hours', async () => {
    const limited = await createTestApp({ limits: true })
    const [sally, ben, rea] = [
      await limited.seller(),
      await limited.staff('ben'),
      await limited.staff('rea', 'reviewer'),
    ]
    const photos = await Promise.all([1, 60, 120, 180, 240].map((shade) => photo(shade)))
    const { giftCard } = (await submit(sally, {}, { photos })).json
    const [first = '', ...others] = (await ben.get(`/api/admin/submissions/${giftCard.id}`)).json.images.map(
      (path: string) => path.replace('/uploads/', ''),
    )
    const recorded = async () => {
      const { json } = await ben.get(`/api/admin/audit?subject=${giftCard.id}`)
      return json.map(({ actor, action, details }: AuditEntry) => [actor, action, details])
    }
    const counted = async () =>
      (await limited.pool.query("select points from rate_limits where key like 'reveal:%' order by points"))
        .rows
    await sally.get(giftCard.images[0])
    expect(await recorded()).toEqual([])

    const thumbnails = [first, ...others].map((name) => `/api/admin/view/${name}?size=thumbnail`)
    const answers = await Promise.all(thumbnails.map((address) => ben.get(address)))
    expect(answers.map(({ status }) => status)).toEqual(thumbnails.map(() => 200))
    for (const name of [first, ...others, first]) await ben.get(`/api/admin/view/${name}`)
    const look = ['ben', 'submission.photo_viewed', { role: 'owner' }]
    expect(await recorded()).toEqual([look])
    expect(await counted()).toEqual([{ points: 1 }])

    await rea.get(`/api/admin/view/${first}`)
    for (let times = 0; times < 2; times++) await ben.get(`/api/admin/download/${others[0]}`)
    const download = ['ben', 'submission.photo_downloaded', { photo: 2, role: 'owner' }]
    const second = ['rea', 'submission.photo_viewed', { role: 'reviewer' }]
    expect(await recorded()).toEqual([download, download, second, look])
    expect(await counted()).toEqual([{ points: 1 }, { points: 3 }])
    const seen = await sally.get(`/api/user/gift-cards/${giftCard.id}/reveals`)
    expect(seen.json.map(({ role }: { role: string }) => role)).toEqual([
      'owner',
      'owner',
      'reviewer',
      'owner',
    ])
  })

  it('are not listed for the seller while the desk only loads them ahead', async () => {
    const limited = await createTestApp({ limits: true })
    const [sally, ben] = [await limited.seller(), await limited.staff('ben')]
    const { giftCard } = (await submit(sally, {}, { photos: [await photo(1), await photo(60)] })).json
    const { images } = (await ben.get(`/api/admin/submissions/${giftCard.id}`)).json
    const views: string[] = images.map((path: string) => path.replace('/uploads/', '/api/admin/view/'))
    const actions = async (more = '') =>
      (await ben.get(`/api/admin/audit?subject=${giftCard.id}${more}`)).json.map(
        ({ action }: AuditEntry) => action,
      )
    const looks = async () => (await sally.get(`/api/user/gift-cards/${giftCard.id}/reveals`)).json.length
    const points = async () =>
      (await limited.pool.query("select points from rate_limits where key like 'reveal:%'")).rows

    const loadAhead = () => Promise.all(views.map((view) => ben.get(`${view}?size=thumbnail&ahead=true`)))
    for (let times = 0; times < 2; times++) await loadAhead()
    expect(await actions()).toEqual(['submission.photo_loaded_ahead'])
    expect([await looks(), await points()]).toEqual([0, [{ points: 1 }]])

    await ben.get(`${views[0]}?size=thumbnail`)
    await loadAhead()
    expect(await actions()).toEqual(['submission.photo_viewed', 'submission.photo_loaded_ahead'])
    expect(await actions('&ahead=false')).toEqual(['submission.photo_viewed'])
    expect([await looks(), await points()]).toEqual([1, [{ points: 1 }]])
  })

  it('count as a look in full size, whatever the address says', async () => {
    const staff = await server.staff()
    const { giftCard } = (await submit(seller)).json
    const { images } = (await staff.get(`/api/admin/submissions/${giftCard.id}`)).json
    await staff.get(`${images[0].replace('/uploads/', '/api/admin/view/')}?ahead=true`)
    expect((await seller.get(`/api/user/gift-cards/${giftCard.id}/reveals`)).json).toHaveLength(1)
  })

  it('are not shown beyond the limit of reveals, not even as thumbnails', async () => {
    const limited = await createTestApp({ limits: true })
    const [sally, ben] = [await limited.seller(), await limited.staff('ben')]
    const name = async () => {
      const { giftCard } = (await submit(sally)).json
      const { images } = (await ben.get(`/api/admin/submissions/${giftCard.id}`)).json
      return { id: giftCard.id, photo: images[0].replace('/uploads/', '') }
    }
    const [seen, unseen] = [await name(), await name()]
    await ben.get(`/api/admin/view/${seen.photo}?size=thumbnail`)
    const used = "update rate_limits set points = $1 where key like 'reveal:%' returning points"
    expect((await limited.pool.query(used, [callLimits.reveal.points])).rowCount).toBe(1)
    for (const address of [
      `/api/admin/view/${unseen.photo}?size=thumbnail`,
      `/api/admin/view/${unseen.photo}`,
      `/api/admin/download/${seen.photo}`,
    ]) {
      expect((await ben.get(address)).status).toBe(429)
    }
    expect((await ben.post(`/api/admin/submissions/${seen.id}/reveal`)).status).toBe(429)
    // What was recorded before can be looked at again.
    expect((await ben.get(`/api/admin/view/${seen.photo}`)).status).toBe(200)
    expect((await ben.get(`/api/admin/audit?subject=${unseen.id}`)).json).toEqual([])
  })

  it('are recorded again when somebody looks a day later', async () => {
    const staff = await server.staff('lea', 'reviewer')
    const owner = await server.staff()
    const { giftCard } = (await submit(seller)).json
    const { images } = (await staff.get(`/api/admin/submissions/${giftCard.id}`)).json
    const look = () => staff.get(images[0].replace('/uploads/', '/api/admin/view/'))
    const looks = async () => (await owner.get(`/api/admin/audit?subject=${giftCard.id}`)).json.length
    await look()
    await look()
    expect(await looks()).toBe(1)
    await server.pool.query('alter table audit_log disable trigger user')
    const aged = "update audit_log set at = at - interval '24 hours 1 second' where subject_id = $1"
    await server.pool.query(aged, [giftCard.id])
    await server.pool.query('alter table audit_log enable trigger user')
    await look()
    expect(await looks()).toBe(2)
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
