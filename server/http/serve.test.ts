import fastify, { type FastifyBaseLogger, type FastifyReply } from 'fastify'
import { serializerCompiler } from 'fastify-type-provider-zod'
import { beforeEach, expect, it } from 'vitest'
import { z } from 'zod'
import { route } from '#contract/route.ts'
import { instant, money, percent } from '#contract/values.ts'
import { createLog } from '#server/platform/log.ts'
import { readWords } from '#words/catalogs.ts'
import { handleErrors } from './errors.ts'
import { answerInLanguages } from './language.ts'
import { noLimits } from './limits/limits.ts'
import { serving } from './serve.ts'

const sale = route({
  method: 'GET',
  path: '/api/sale',
  summary: 'A sale',
  access: 'anyone',
  limit: 'none',
  answers: {
    200: z.array(
      z.object({ at: instant, undoneAt: instant.nullable(), pays: money, rate: percent, note: z.string() }),
    ),
  },
})

let log: string[]
beforeEach(() => {
  log = []
})

async function answer(row: object, status = 200) {
  const loggerInstance: FastifyBaseLogger = createLog('error', { write: (line) => void log.push(line) })
  const app = fastify({ loggerInstance })
  app.setSerializerCompiler(serializerCompiler)
  answerInLanguages(app, readWords({ product: 'Unspent' }))
  handleErrors(app)
  const handle = async ({ reply }: { reply: FastifyReply }) => {
    reply.code(status)
    return [row]
  }
  // The type checker would refuse most of these rows.
  serving(app, { find: {} as never, limits: noLimits })(sale, handle as never)
  return app.inject('/api/sale')
}

const at = new Date('2026-11-26T21:00:00.5Z')
const row = { at, undoneAt: null, pays: -9305, rate: 9300, note: 'fine' }

it('encodes times and amounts, and leaves out what the contract does not name', async () => {
  const { body, statusCode } = await answer({ ...row, sealed: Buffer.from('secret') })
  expect(statusCode).toBe(200)
  expect(body).toBe(
    '[{"at":"2026-11-26T21:00:00.500Z","undoneAt":null,"pays":"-93.05","rate":"93.00","note":"fine"}]',
  )
  expect(log).toEqual([])
})

it('refuses to send a row with a status that the contract does not name', async () => {
  const { statusCode, body } = await answer({ ...row, sealed: 'secret' }, 202)
  expect(statusCode).toBe(500)
  expect(body).not.toContain('secret')
})

it.each([
  ['0.at', { at: new Date(Number.NaN) }],
  ['0.at', { at: '2026-11-26T21:00:00.500Z' }],
  ['0.pays', { pays: 93.05 }],
  ['0.pays', { pays: '93.05' }],
  ['0.undoneAt, 0.note', { undoneAt: undefined, note: 6006493011112222 }],
])('fails with %s in the log, and not its value', async (fields, wrong) => {
  const { statusCode, body } = await answer({ ...row, note: 'secret', ...wrong })
  expect(statusCode).toBe(500)
  expect(JSON.parse(body)).toMatchObject({ code: 'internal' })
  expect(log).toHaveLength(1)
  expect(JSON.parse(log[0] ?? '')).toMatchObject({
    msg: `the contract has another type for ${fields} of the answer`,
  })
  expect(log.join()).not.toMatch(/secret|93[.]05|6006|2026-11-26T21:00:00[.]500Z/)
})
