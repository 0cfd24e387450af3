import fastify, { type FastifyBaseLogger, LogController } from 'fastify'
import { describe, expect, it } from 'vitest'
import { createTestApp } from '#test/app.ts'
import { handleErrors } from './http/errors.ts'
import { Refusal } from './http/refusal.ts'
import { traceRequests } from './http/request-id.ts'
import { createLog } from './log.ts'

function logOf(write: (log: ReturnType<typeof createLog>) => void): Record<string, unknown>[] {
  const lines: string[] = []
  write(createLog('trace', { write: (line) => void lines.push(line) }))
  return lines.map((line) => JSON.parse(line))
}

describe('a line of the log', () => {
  it('holds the listed fields and no others', () => {
    const [line] = logOf((log) =>
      log.info(
        { reqId: 'r', status: 200, body: 'secret', headers: { cookie: 'secret' }, q: 'secret' },
        'said',
      ),
    )
    expect(line).toEqual({ level: 'info', time: expect.any(String), reqId: 'r', status: 200, msg: 'said' })
  })

  it('tells of an error without what a parser read or a card number', () => {
    const errors = [new Error('card 6006 4930 1234 5678 is bad')]
    try {
      JSON.parse('secret text')
    } catch (error) {
      errors.push(error as Error)
    }
    const lines = logOf((log) => {
      for (const err of errors) log.error({ err }, 'broken')
    })
    expect(JSON.stringify(lines)).not.toMatch(/6006|secret text/)
    expect(lines[1]).toMatchObject({ err: { type: 'SyntaxError', at: expect.any(Array) } })
  })
})

it.each([
  ['GET', '/', 200, 'debug', undefined],
  ['POST', '/', 200, 'info', undefined],
  ['GET', '/refused', 409, 'debug', 'taken'],
  ['GET', '/broken', 500, 'warn', 'internal'],
] as const)('%s %s that is answered %d is one line, as %s', async (method, url, status, level, code) => {
  const lines: string[] = []
  const log: FastifyBaseLogger = createLog('debug', { write: (line) => void lines.push(line) })
  const app = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
  })
  traceRequests(app)
  handleErrors(app)
  app.route({ method: ['GET', 'POST'], url: '/', handler: async () => 'fine' })
  app.get('/refused', async () => {
    throw new Refusal('taken', 'There is one already')
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
})

it('an answer names its request by an id of our own', async () => {
  const server = await createTestApp()
  const ids = new Set<unknown>()
  for (const url of ['/api/brands', '/api/nothing', '/api/auth/me', '/%', '/api/admin/view/x']) {
    const { headers } = await server.visitor().get(url, { 'x-request-id': 'mine' })
    expect(headers['x-request-id'], url).toMatch(/^[\da-f-]{36}$/)
    ids.add(headers['x-request-id'])
  }
  expect(ids.size).toBe(5)
})
