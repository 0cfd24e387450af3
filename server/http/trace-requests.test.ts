import fastify, { type FastifyBaseLogger, LogController } from 'fastify'
import { expect, it } from 'vitest'
import { createLog } from '#server/platform/log.ts'
import { createTestApp } from '#test/app.ts'
import { readWords } from '#words/catalogs.ts'
import { handleErrors } from './errors.ts'
import { answerInLanguages } from './language.ts'
import { Refusal } from './refusal.ts'
import { traceRequests } from './trace-requests.ts'

const words = readWords({ product: 'Unspent' })

it.each([
  ['GET', '/', 200, 'debug', undefined],
  ['POST', '/', 200, 'info', undefined],
  ['GET', '/refused', 409, 'debug', 'taken'],
  ['GET', '/broken', 500, 'warn', 'internal'],
] as const)(
  'logs one line for %s %s with status %d, at level %s',
  async (method, url, status, level, code) => {
    const lines: string[] = []
    const log: FastifyBaseLogger = createLog('debug', { write: (line) => void lines.push(line) })
    const app = fastify({
      loggerInstance: log,
      logController: new LogController({ disableRequestLogging: true }),
    })
    traceRequests(app)
    answerInLanguages(app, words)
    handleErrors(app)
    app.route({ method: ['GET', 'POST'], url: '/', handler: async () => 'fine' })
    app.get('/refused', async () => {
      throw new Refusal('taken', 'refusals.invalid')
    })
    app.get('/broken', async () => {
      throw new Error('broken')
    })
    const { headers } = await app.inject({ method, url: `${url}?card=6006493012345678` })
    const answered = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'answered')
    const said = { level, method, route: url, status, reqId: expect.any(String), ms: expect.any(Number) }
    expect(answered).toEqual([{ ...said, ...(code && { code }), time: expect.any(String), msg: 'answered' }])
    expect(headers['x-request-id']).toBe(answered[0].reqId)
    await app.close()
  },
)

it('makes its own request id, whatever id the client sends', async () => {
  const server = await createTestApp()
  const ids = new Set<unknown>()
  for (const url of ['/api/brands', '/api/nothing', '/api/auth/me', '/%', '/api/admin/view/x']) {
    const { headers } = await server.visitor().get(url, { 'x-request-id': 'mine' })
    expect(headers['x-request-id'], url).toMatch(/^[\da-f-]{36}$/)
    ids.add(headers['x-request-id'])
  }
  expect(ids.size).toBe(5)
})
