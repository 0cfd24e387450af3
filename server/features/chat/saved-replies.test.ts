import { beforeAll, describe, expect, it } from 'vitest'
import { createTestApp } from '#test/app.ts'
import type { Person } from '#test/person.ts'

let staff: Person
let ana: Person
beforeAll(async () => {
  const server = await createTestApp()
  staff = await server.staff()
  ana = await server.staff('ana')
})

describe('saved replies', () => {
  const path = '/api/admin/saved-replies'

  it('are shared by all staff, ordered by title', async () => {
    const saved = await staff.post(path, { title: ' thanks ', text: ' Thank you!\nBye ' })
    expect(saved.status).toBe(201)
    expect(saved.json).toMatchObject({ title: 'thanks', text: 'Thank you!\nBye' })
    await ana.post(path, { title: 'Hello', text: 'Good day' })
    expect((await ana.get(path)).json.map(({ title }: { title: string }) => title)).toEqual([
      'Hello',
      'thanks',
    ])
    expect((await ana.send({ method: 'DELETE', url: `${path}/${saved.json.id}` })).status).toBe(200)
    expect((await staff.send({ method: 'DELETE', url: `${path}/${saved.json.id}` })).status).toBe(404)
    expect((await staff.get(path)).json).toHaveLength(1)
  })

  it('can have a Spanish text, which a change without one removes', async () => {
    const both = { title: 'Thanks', text: 'Thank you', spanishText: ' Gracias ' }
    const { json } = await staff.post(path, both)
    expect(json).toMatchObject({ text: 'Thank you', spanishText: 'Gracias' })
    expect((await ana.put(`${path}/${json.id}`, { ...both, spanishText: '' })).json.spanishText).toBeNull()
    await staff.put(`${path}/${json.id}`, both)
    const english = { title: 'Thanks', text: 'Thank you' }
    expect((await ana.put(`${path}/${json.id}`, english)).json.spanishText).toBeNull()
    await staff.delete(`${path}/${json.id}`)
  })

  it('can be changed for all staff', async () => {
    const { id } = (await staff.post(path, { title: 'Hours', text: 'From 9 to 5' })).json
    const changed = await ana.put(`${path}/${id}`, { title: 'Hours', text: 'From 9 to 6' })
    expect(changed.status).toBe(200)
    expect((await staff.get(path)).json).toContainEqual(changed.json)
    expect(changed.json).toMatchObject({ id, text: 'From 9 to 6' })
    expect((await ana.put(`${path}/${id}`, { title: 'Hours', text: ' ' })).status).toBe(400)
    await staff.delete(`${path}/${id}`)
    expect((await ana.put(`${path}/${id}`, { title: 'Hours', text: 'x' })).status).toBe(404)
  })

  it.each([
    [{ title: '', text: 'x' }, 'title'],
    [{ title: 'x'.repeat(101), text: 'x' }, 'title'],
    [{ title: 'x', text: ' ' }, 'text'],
    [{ title: 'x', text: 'x'.repeat(4001) }, 'text'],
    [{ title: 'x', text: '\u0000' }, 'text'],
    [{ title: 'x' }, 'text'],
  ])('refuse %.20j', async (body, field) => {
    const answer = await staff.post(path, body)
    expect(answer.status).toBe(400)
    expect(answer.json.errors).toMatchObject([{ path: field }])
  })
})
