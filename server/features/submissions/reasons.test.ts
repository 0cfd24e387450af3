import { beforeAll, describe, expect, it } from 'vitest'
import { reasonCodes } from '#domain/reasons.ts'
import { createTestApp, type TestApp } from '#test/app.ts'
import type { Person } from '#test/person.ts'
import { field, submitted, submittedIn } from '#test/submissions.ts'
import { locales } from '#words/locales.ts'
import { eraseOldSecrets } from './erase.ts'

const PIN = '73195264'
const ERASED = '(This text was erased)'
let server: TestApp
let seller: Person
let staff: Person
beforeAll(async () => {
  server = await createTestApp()
  seller = await server.seller()
  staff = await server.staff()
})

const move = (id: string, status: string, reason?: string) =>
  staff.patch(`/api/admin/submissions/${id}/status`, { status, reason })

/** A rejected submission with a question, an answer and a reason, each with a PIN in it. */
async function talkedAbout(): Promise<string> {
  const id = await submitted(seller)
  await move(id, 'under_review', `Is the PIN ${PIN}?`)
  await seller.upload(`/api/user/gift-cards/${id}/answer`, [field('message', `The PIN is ${PIN}`)])
  await move(id, 'rejected', `The PIN ${PIN} is wrong`)
  return id
}

const reasonsOf = async (reader: Person, path: string): Promise<(string | undefined)[]> =>
  (await reader.get(`${path}/history`)).json.map(({ reason }: { reason?: string }) => reason)

/** Every row of every table that contains this text, as text or as bytes. */
async function rowsWith(text: string): Promise<string[]> {
  const { rows: tables } = await server.pool.query(
    "select table_name as name from information_schema.tables where table_schema = 'public'",
  )
  const bytes = Buffer.from(text).toString('hex')
  const found = tables.map(async ({ name }) => {
    const query = `select '${name}' as name from "${name}" as t where to_jsonb(t)::text ~ $1`
    return (await server.pool.query(query, [`${text}|${bytes}`])).rows
  })
  return (await Promise.all(found)).flat().map(({ name }) => name)
}

describe('the text of a move', () => {
  it('is never stored in plain text: not in the history, the audit log or a job', async () => {
    const id = await talkedAbout()
    expect(await rowsWith(PIN)).toEqual([])
    const said = [undefined, `Is the PIN ${PIN}?`, `The PIN is ${PIN}`, `The PIN ${PIN} is wrong`]
    expect(await reasonsOf(staff, `/api/admin/submissions/${id}`)).toEqual(said)
    expect(await reasonsOf(seller, `/api/user/gift-cards/${id}`)).toEqual(said)
    const { json } = await staff.get(`/api/admin/audit?subject=${id}`)
    expect(json.map(({ details }: { details: object }) => details)).toEqual([
      { from: 'pending', to: 'rejected', move: 'reject' },
      { from: 'pending', to: 'under_review', move: 'ask' },
    ])
  })

  it('is erased with the submission’s key, and the API says so', async () => {
    const id = await talkedAbout()
    await server.pool.query("update gift_cards set updated_at = now() - interval '91 days' where id = $1", [
      id,
    ])
    expect(await eraseOldSecrets(server.context, 90)).toBe(1)
    const erased = [undefined, ERASED, ERASED, ERASED]
    expect(await reasonsOf(staff, `/api/admin/submissions/${id}`)).toEqual(erased)
    expect(await reasonsOf(seller, `/api/user/gift-cards/${id}`)).toEqual(erased)
    expect((await staff.get(`/api/admin/submissions/${id}`)).json).toMatchObject({
      statusReason: ERASED,
      rejectionReason: ERASED,
    })
    expect((await seller.get('/api/my-transactions')).json[0].statusReason).toBe(ERASED)

    // It can still be reverted; later texts are sealed with a new key.
    await move(id, 'processing')
    await move(id, 'failed', 'The account is closed')
    expect(await reasonsOf(staff, `/api/admin/submissions/${id}`)).toEqual([
      ...erased,
      undefined,
      'The account is closed',
    ])
    expect((await staff.post(`/api/admin/submissions/${id}/reveal`)).json.code).toBe('erased')
  })

  it('cannot be opened after the submission was cleared', async () => {
    const id = await talkedAbout()
    await staff.delete('/api/admin/submissions')
    const { rows } = await server.pool.query('select data_key from gift_cards where id = $1', [id])
    expect(rows).toEqual([{ data_key: null }])
    expect(await rowsWith(PIN)).toEqual([])
  })

  it('is marked as unreadable if it cannot be opened, and the rest is still shown', async () => {
    const id = await submittedIn('rejected', { seller, staff })
    await server.pool.query('alter table status_history disable trigger user')
    await server.pool.query("update status_history set sealed_reason = '\\x01ff' where gift_card_id = $1", [
      id,
    ])
    await server.pool.query('alter table status_history enable trigger user')
    const list = await staff.get('/api/admin/submissions?limit=1')
    expect(list.json).toMatchObject([{ id, statusReason: '(This text cannot be read)' }])
  })
})

describe('a submission whose data key cannot be opened', () => {
  it.each([['rejected'], ['under_review'], ['processing', 'failed']])(
    'can be moved to %s %s',
    async (...statuses) => {
      const id = await submitted(seller)
      await server.pool.query("update gift_cards set data_key = '\\x01026b31ff' where id = $1", [id])
      for (const status of statuses) expect((await move(id, status, `The PIN is ${PIN}`)).status).toBe(200)
      expect((await staff.get(`/api/admin/submissions/${id}`)).json).toMatchObject({
        status: statuses.at(-1),
        statusReason: '(This text cannot be read)',
      })
      const { rows } = await server.pool.query('select data_key from gift_cards where id = $1', [id])
      expect(rows).toEqual([{ data_key: Buffer.from('01026b31ff', 'hex') }])
      expect(await rowsWith(PIN)).toEqual([])
    },
  )
})

describe('a reason from the list', () => {
  const stored = async (id: string) =>
    (
      await server.pool.query(
        'select reason_code, sealed_reason from status_history where gift_card_id = $1 and version = 2',
        [id],
      )
    ).rows[0]

  it.each([' The photo is blurry. Please send a sharp photo of the whole card. ', 'image_blurry'])(
    'is stored by its code when staff send %j, and each side reads it in its language',
    async (reason) => {
      const spanish = await server.seller()
      await spanish.put('/api/user/locale', { locale: 'es' })
      const id = await submitted(spanish)
      const english = 'The photo is blurry. Please send a sharp photo of the whole card.'
      expect((await move(id, 'rejected', reason)).json).toMatchObject({
        statusReason: english,
        rejectionReason: english,
        user: { locale: 'es' },
      })
      expect(await stored(id)).toEqual({ reason_code: 'image_blurry', sealed_reason: null })
      expect(await reasonsOf(staff, `/api/admin/submissions/${id}`)).toEqual([undefined, english])
      const inSpanish = 'La foto está borrosa. Envíe una foto nítida de toda la tarjeta.'
      expect(await reasonsOf(spanish, `/api/user/gift-cards/${id}`)).toEqual([undefined, inSpanish])
      const lists = ['/api/user/gift-cards', '/api/my-transactions'].map((path) => spanish.get(path))
      for (const { json } of await Promise.all(lists))
        expect(json).toMatchObject([{ statusReason: inSpanish, reasonCode: 'image_blurry' }])
    },
  )

  it.each([
    ['a question', ['under_review'], 'ask_receipt', 'Envíe una foto del recibo de compra.'],
    [
      'a payout problem',
      ['processing', 'failed'],
      'payout_limit_reached',
      'Su cuenta de pago alcanzó el límite de su proveedor.',
    ],
    ['a rejection', ['processing', 'failed'], 'card_expired', 'La tarjeta está vencida.'],
  ])('may also be %s', async (_, statuses, code, inSpanish) => {
    const spanish = await server.seller()
    await spanish.put('/api/user/locale', { locale: 'es' })
    const id = await submitted(spanish)
    for (const status of statuses) {
      expect((await move(id, status, status === 'processing' ? undefined : code)).status).toBe(200)
    }
    const { rows } = await server.pool.query(
      'select reason_code, sealed_reason from status_history where gift_card_id = $1 order by version desc limit 1',
      [id],
    )
    expect(rows).toEqual([{ reason_code: code, sealed_reason: null }])
    expect((await reasonsOf(spanish, `/api/user/gift-cards/${id}`)).at(-1)).toBe(inSpanish)
  })

  it.each([
    ['rejected', 'payout_account_closed'],
    ['rejected', 'ask_receipt'],
    ['under_review', 'image_blurry'],
    ['under_review', 'The card has expired.'],
    ['processing', 'image_blurry'],
    ['failed', 'ask_receipt'],
    ['failed', 'offer_condition'],
  ])('of another decision is refused: %s because %s', async (status, code) => {
    const from = status === 'failed' ? 'processing' : 'pending'
    const id = await submittedIn(from, { seller, staff })
    const refused = await move(id, status, code)
    expect([refused.status, refused.json.errors]).toMatchObject([
      400,
      [{ path: 'reason', code: 'reason_of_other_move' }],
    ])
    expect((await staff.get(`/api/admin/submissions/${id}`)).json.status).toBe(from)
  })

  it('is refused for a revert, which takes only a text', async () => {
    const id = await submittedIn('rejected', { seller, staff })
    expect((await move(id, 'processing', 'image_blurry')).status).toBe(400)
    expect((await move(id, 'processing', 'It was readable after all')).status).toBe(200)
  })

  it.each(locales)('has its own text in %s', (locale) => {
    const texts = reasonCodes.map((code) => server.context.words[locale](`reasons.text.${code}`))
    expect(new Set(texts).size).toBe(texts.length)
  })

  it('is readable after the submission’s key is erased', async () => {
    const id = await submitted(seller)
    await move(id, 'rejected', 'card_expired')
    await server.pool.query(
      'update gift_cards set data_key = null, secrets_erased_at = now() where id = $1',
      [id],
    )
    expect((await staff.get(`/api/admin/submissions/${id}`)).json.statusReason).toBe('The card has expired.')
  })

  it('that staff changed is shown to every seller as it was written', async () => {
    const spanish = await server.seller()
    await spanish.put('/api/user/locale', { locale: 'es' })
    const id = await submitted(spanish)
    await move(id, 'rejected', 'The card has expired. In May.')
    expect((await stored(id)).reason_code).toBe('free_text')
    expect((await spanish.get(`/api/user/gift-cards/${id}`)).json.reasonCode).toBeNull()
    expect(await reasonsOf(spanish, `/api/user/gift-cards/${id}`)).toEqual([
      undefined,
      'The card has expired. In May.',
    ])
  })
})
