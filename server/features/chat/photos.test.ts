import { createSecretKey, randomBytes, randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import type { AuditEntry } from '#contract/audit.ts'
import type { ChatMessage } from '#contract/chat.ts'
import { tidy } from '#server/housekeeping.ts'
import { rewrapAll } from '#server/operator/rotation.ts'
import { KEY_BYTES } from '#server/platform/vault/key-ring.ts'
import { wrappingKeyId } from '#server/platform/vault/seal.ts'
import { createTestApp, type TestApp } from '#test/app.ts'
import { contacted } from '#test/chat.ts'
import { SELLER_PASSWORD } from '#test/people.ts'
import type { Person } from '#test/person.ts'
import { field, image, photo, photoFiles, submitted } from '#test/submissions.ts'
import { unzip } from '#test/zip.ts'

let server: TestApp
let staff: Person
beforeAll(async () => {
  server = await createTestApp()
  staff = await server.staff()
})

type Fields = Readonly<Record<string, string>>
const parts = (fields: Fields, photos: readonly Buffer[]) => [
  ...Object.entries(fields).map(([name, value]) => field(name, value)),
  ...photos.map((bytes) => image(bytes)),
]
const send = async (seller: Person, fields: Fields = { message: 'Look' }, photos?: readonly Buffer[]) =>
  seller.upload('/api/chat/messages', parts(fields, photos ?? [await photo()]))
const reply = async (seller: Person, fields: Fields = { message: 'Look' }) =>
  staff.upload('/api/admin/chat/reply', parts({ userId: seller.id, ...fields }, [await photo()]))
const own = async (seller: Person): Promise<ChatMessage[]> => (await seller.get('/api/chat/messages')).json
const seen = async (seller: Person, by = staff): Promise<ChatMessage[]> =>
  (await by.get(`/api/admin/chat/messages?userId=${seller.id}`)).json
const view = (path = '', by = staff) => by.get(path.replace('/uploads/', '/api/admin/view/'))

describe('photos in the chat', () => {
  it('are sent both ways, and open only for this seller and staff who may see cards', async () => {
    const [seller, stranger] = [await server.seller(), await server.seller()]
    const sent = await send(seller, { message: '' }, [await photo(1), await photo(90)])
    expect(sent.status).toBe(201)
    expect(sent.json).toMatchObject({ message: '', photoCount: 2 })
    await reply(seller)
    const [mine, theirs] = await own(seller)
    expect(mine?.images).toEqual(sent.json.images)
    for (const path of [...(mine?.images ?? []), ...(theirs?.images ?? [])]) {
      expect(path).toMatch(/^\/api\/user\/images\//)
      const answer = await seller.get(`${path}?size=thumbnail`)
      expect([answer.status, answer.headers['cache-control']]).toEqual([200, 'no-store'])
      expect((await stranger.get(path)).status).toBe(404)
      expect((await server.visitor().get(path)).status).toBe(401)
    }
    const [first] = await seen(seller)
    expect(first?.images).toHaveLength(2)
    const viewed = await view(first?.images[0])
    expect([viewed.status, viewed.headers['content-type']]).toEqual([200, 'image/jpeg'])
  })

  it.each(['payer', 'support'] as const)('are hidden from a %s', async (role) => {
    const seller = await server.seller()
    await send(seller)
    const path = (await seen(seller))[0]?.images[0]
    const other = await server.staff(`${role}-of-chats`, role)
    expect((await seen(seller, other))[0]).toMatchObject({ message: 'Look', images: [], photoCount: 1 })
    expect((await view(path, other)).status).toBe(403)
  })

  it('are a reveal when staff look at the photo of the seller, once a day, of the card if there is one', async () => {
    const seller = await server.seller()
    const id = await submitted(seller)
    await send(seller, { message: 'Look', submissionId: id })
    await reply(seller)
    const [first, second] = await seen(seller)
    await Promise.all([view(`${first?.images[0]}?size=thumbnail`), view(first?.images[0])])
    await view(second?.images[0])
    const { json } = await staff.get(`/api/admin/audit?subject=${id}`)
    const actions = json.map(({ action }: AuditEntry) => action)
    expect(actions.filter((action: string) => action === 'chat.photo_viewed')).toHaveLength(1)
    expect((await seller.get(`/api/user/gift-cards/${id}/reveals`)).json).toMatchObject([{ what: ['photo'] }])

    const other = await server.seller()
    await send(other)
    const path = (await seen(other))[0]?.images[0]?.replace('/uploads/', '')
    expect((await staff.get(`/api/admin/download/${path}`)).status).toBe(200)
    const [latest] = (await staff.get('/api/admin/audit?limit=1')).json
    expect(latest).toMatchObject({ action: 'chat.photo_downloaded' })
  })

  it('are stored once for a message that is sent twice', async () => {
    const seller = await server.seller()
    const fields = { message: 'Look', clientId: randomUUID() }
    const before = (await photoFiles(server)).length
    const both = await Promise.all([send(seller, fields), send(seller, fields)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 201])
    const files = await photoFiles(server)
    // One photo and its thumbnail.
    expect(files).toHaveLength(before + 2)
    const again = await send(seller, fields)
    expect(again.status).toBe(200)
    expect(again.json.images).toEqual((await own(seller))[0]?.images)
    expect(await photoFiles(server)).toEqual(files)
  })

  it('are refused in a conversation with a visitor', async () => {
    const { visitor, sessionId } = await contacted(server)
    const form = parts({ sessionId, message: 'Look' }, [await photo()])
    expect((await visitor.upload('/api/contact/message', form)).status).toBe(415)
    expect((await staff.upload('/api/admin/contact/reply', form)).status).toBe(415)
  })

  it('are refused if they are too many, no images, or a message needs one, and nothing is kept', async () => {
    const seller = await server.seller()
    const files = await photoFiles(server)
    const one = await photo()
    const refused = [
      [await send(seller, {}, [one, one, one, one]), 400, 'images'],
      [
        await send(seller, { message: 'Hi' }, [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')]),
        415,
      ],
      [await send(seller, { message: 'Hi' }, [one.subarray(0, 200)]), 415],
      [await send(seller, { message: ' ' }, []), 400, 'message'],
      [await seller.post('/api/chat/messages', { message: '' }), 400, 'message'],
      [await send(seller, { message: 'x'.repeat(4001) }), 400, 'message'],
      [await send(seller, { message: 'Hi', submissionId: randomUUID() }), 404],
      [await staff.upload('/api/admin/chat/reply', parts({ userId: randomUUID(), message: '' }, [one])), 404],
    ] as const
    for (const [answer, status, path] of refused) {
      expect(answer.status).toBe(status)
      if (path) expect(answer.json.errors).toMatchObject([{ path }])
    }
    expect(await own(seller)).toEqual([])
    expect(await photoFiles(server)).toEqual(files)
  })

  it('are erased as long after the message as a submission’s photos, but not on hold', async () => {
    const [seller, held] = [await server.seller(), await server.seller()]
    for (const who of [seller, held]) {
      await send(who)
      await server.pool.query(
        `update chat_messages set created_at = now() - interval '91 days'
         where thread_id in (select id from chat_threads where user_id = $1)`,
        [who.id],
      )
      await send(who, { message: 'New' })
    }
    await staff.post('/api/admin/holds', { userId: held.id, reason: 'A dispute' })
    const [old] = await own(seller)
    const files = (await photoFiles(server)).length
    await tidy(server.context, { eraseAfterDays: 90 })
    expect(await own(seller)).toMatchObject([
      { message: 'Look', images: [], photoCount: 1 },
      { message: 'New', images: [expect.any(String)] },
    ])
    expect((await seller.get(old?.images[0] ?? '')).status).toBe(404)
    expect((await photoFiles(server)).length).toBe(files - 2)
    expect((await own(held))[0]?.images).toHaveLength(1)
  })

  it("are in the download of the seller's data, and end with the account", async () => {
    const seller = await server.seller()
    const before = (await photoFiles(server)).length
    await send(seller)
    await reply(seller)
    const files = new Map(unzip((await seller.get('/api/user/export')).bytes))
    const messages = JSON.parse(String(files.get('messages/chat.json')))
    const names = messages.flatMap(({ photos }: { photos: string[] }) => photos)
    expect(names).toHaveLength(2)
    for (const name of names) expect(files.get(name)?.subarray(0, 2)).toEqual(Buffer.from([0xff, 0xd8]))
    const deletion = { method: 'DELETE', url: '/api/user', payload: { password: SELLER_PASSWORD } } as const
    expect((await seller.send(deletion)).status).toBe(200)
    expect((await photoFiles(server)).length).toBe(before)
  })

  it('are opened by a new master key after a rotation', async () => {
    const own = await createTestApp()
    const seller = await own.seller()
    const [path] = (await send(seller)).json.images
    const { keys, db } = own.context
    const newKey = createSecretKey(randomBytes(KEY_BYTES))
    const renewed = { ...keys, masters: new Map([...keys.masters, ['k2', newKey]]), currentId: 'k2' }
    for await (const { unopened } of rewrapAll(db, renewed)) expect(unopened).toEqual([])
    const { rows } = await own.pool.query('select data_key from chat_messages where data_key is not null')
    expect(rows.map(({ data_key }) => wrappingKeyId(data_key))).toEqual(['k2'])
    Object.assign(keys, renewed)
    expect((await seller.get(path)).status).toBe(200)
  })
})
