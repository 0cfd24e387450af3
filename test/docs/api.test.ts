import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Validator } from '@seriousme/openapi-schema-validator'
import type { OpenAPIV3_1 } from 'openapi-types'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ErrorCode, errorMeanings, errorStatuses } from '#contract/errors.ts'
import { callLimits, type Route } from '#contract/route.ts'
import { routes } from '#contract/routes.ts'
import { reportNames, reports } from '#domain/reports.ts'
import { createTestApp } from '../app.ts'
import { ADMIN_PASSWORD } from '../people.ts'
import { newDataDir, ServerProcess } from '../server-process.ts'
import { photo } from '../submissions.ts'
import { patternOf, runSteps, stepsOf } from './runs.ts'

const markdown = await readFile(join(import.meta.dirname, '../../docs/api.md'), 'utf8')

describe('docs/api.md', () => {
  const steps = stepsOf(markdown)
  let printed: string[]
  let complaints: string
  let server: ServerProcess
  let folder: string

  beforeAll(async () => {
    folder = await newDataDir()
    server = ServerProcess.start({ DATA_DIR: folder, ADMIN_PASSWORD })
    const site = await server.ready()
    for (const [name, shade] of [
      ['front.jpg', 120],
      ['back.jpg', 160],
    ] as const) {
      await writeFile(join(folder, name), await photo(shade))
    }
    const ran = await runSteps(steps, { folder, env: { SITE: site, ADMIN_PASSWORD } })
    printed = ran.printed
    complaints = ran.complaints
  }, 120_000)

  afterAll(async () => {
    server.kill('SIGTERM')
    await server.ended()
    await rm(folder, { recursive: true, force: true })
  })

  it('has only commands that work', () => {
    expect(complaints).toBe('')
    expect(printed).toHaveLength(steps.length)
    expect(steps.length).toBeGreaterThan(10)
  })

  it.each([...steps.entries()])('shows what step %d prints', (index, { prints }) => {
    const found = printed[index]?.trim() ?? 'nothing: an earlier step failed'
    if (!prints) expect(found).toBe('')
    else if (prints.kind === 'text') expect(found).toMatch(patternOf(prints.text))
    else expect(JSON.parse(found)).toMatchObject(JSON.parse(prints.text, anything))
  })

  it('lists every error code', () => {
    const rows = Object.entries(errorStatuses).map(
      ([code, status]) => `| ${status} | \`${code}\` | ${errorMeanings[code as ErrorCode]} |`,
    )
    expect(between('errors')).toBe(table(['status', 'code', 'what it means'], rows))
  })

  it('lists every rate limit', () => {
    const rows = Object.entries(callLimits).map(([name, { points, seconds }]) => {
      const paths = Object.values<Route>(routes).filter(({ limit }) => limit === name)
      const named =
        paths.length > 8 ? `${paths.length} routes` : paths.map(({ path }) => `\`${path}\``).join(' ')
      return `| ${name} | ${points} in ${seconds / 60} min | ${named} |`
    })
    expect(between('limits')).toBe(table(['bucket', 'calls', 'routes'], rows))
  })
})

/** `…` in a document matches anything. */
const anything = (_name: string, value: unknown) => (value === '…' ? expect.anything() : value)

function between(mark: string): string | undefined {
  return new RegExp(`<!-- ${mark} -->\n(.*)<!-- /${mark} -->`, 's').exec(markdown)?.[1]
}

function table(head: readonly string[], rows: readonly string[]): string {
  return [`| ${head.join(' | ')} |`, `| ${head.map(() => '---').join(' | ')} |`, ...rows, ''].join('\n')
}

describe('the OpenAPI document', () => {
  let document: Document
  let operations: [path: string, method: string, operation: OpenAPIV3_1.OperationObject][]

  beforeAll(async () => {
    const { app } = await createTestApp()
    document = (await app.inject('/api/openapi.json')).json()
    operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]): (typeof operations)[number] => [
        path,
        method,
        operation,
      ]),
    )
  })

  it('is valid OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate({ ...document })
    expect(errors).toBeUndefined()
    expect(valid).toBe(true)
  })

  it('has every route once, under its name', () => {
    const found = operations.map(([path, method, { operationId }]) => `${operationId} ${method} ${path}`)
    const expected = Object.entries<Route>(routes).map(([name, { method, path }]) => {
      const written = path.replace(/:(\w+)/g, '{$1}').replace('*', '{path}')
      return `${name} ${method.toLowerCase()} ${written}`
    })
    expect(found.sort()).toEqual([...expected, 'live get /ws'].sort())
  })

  it('names every report, with the columns of its rows and of its CSV file', () => {
    const [, , report] = operations.find(([, , { operationId }]) => operationId === 'report') ?? []
    const name = { name: 'name', schema: expect.objectContaining({ enum: reportNames }) }
    expect(report?.parameters).toContainEqual(expect.objectContaining(name))
    const rows = reportNames.map((title) => ({
      title,
      items: { required: Object.keys(reports[title]) },
    }))
    const content = { 'application/json': { schema: { anyOf: rows } } }
    expect(report?.responses).toMatchObject({ 200: { content } })
    const [, , csv] = operations.find(([, , { operationId }]) => operationId === 'exportReport') ?? []
    for (const name of reportNames) {
      const columns = Object.keys(reports[name]).map((column) => `\`${column}\``)
      const description = expect.stringContaining(`\`${name}\`: ${columns.join(', ')}`)
      expect(csv?.responses).toMatchObject({ 200: { description } })
    }
  })

  it('refers only to schemas it contains', () => {
    const whole = JSON.stringify(document)
    const references = [...whole.matchAll(/"\$ref":"#\/components\/(\w+)\/([^"]+)"/g)]
    expect(references.length).toBe(whole.split('"$ref"').length - 1)
    expect(references.length).toBeGreaterThan(50)
    for (const [, kind, name] of references) {
      expect(document.components, name).toHaveProperty([kind ?? '', name ?? ''])
    }
  })

  it('says who may call, what to send in which form, and what comes back', () => {
    expect(document.paths['/api/gift-cards']?.post).toMatchObject({
      security: [{ seller: [] }],
      'x-rate-limit': { points: 60, seconds: 3600 },
      parameters: [{ name: 'Idempotency-Key', in: 'header', required: false }],
      requestBody: {
        required: true,
        content: { 'multipart/form-data': { schema: { allOf: expect.anything() } } },
      },
      responses: {
        201: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Submitted' } } } },
        409: {
          description: expect.stringContaining('`quote_changed`'),
          content: {
            'application/json': {
              schema: {
                allOf: [
                  { $ref: '#/components/schemas/ErrorBody' },
                  {
                    properties: {
                      code: { enum: ['key_reused', 'quote_changed', 'submission_cleared', 'taken'] },
                    },
                  },
                ],
              },
            },
          },
        },
        429: { headers: { 'Retry-After': expect.anything() } },
      },
    })
    expect(document.paths['/api/brands']?.get?.security).toEqual([])
    expect(document.components.securitySchemes).toMatchObject({
      staff: { in: 'cookie', name: 'unspent_staff' },
    })
  })

  it('describes requests as they are sent, before they are parsed', () => {
    const { schemas } = document.components
    expect(schemas.RegistrationInput).toMatchObject({
      properties: { email: { type: 'string', format: 'email' } },
    })
    expect(schemas.SubmissionFormInput).toMatchObject({
      properties: { denomination: { anyOf: [{ type: 'string', maxLength: 32 }, { type: 'number' }] } },
      required: expect.not.arrayContaining(['paymentType']),
    })
    const list = document.paths['/api/my-transactions']?.get
    expect(list?.parameters?.[0]).toEqual({
      name: 'limit',
      in: 'query',
      required: false,
      schema: { type: 'integer', minimum: 1, maximum: 200, default: 50 },
    })
    expect(list?.responses).toMatchObject({ 200: { headers: { 'X-Total-Count': {}, Link: {} } } })
    expect(schemas).toHaveProperty('LiveMessage')
  })
})

describe('the page of the API', () => {
  it('is served with its scripts, under its own content security policy', async () => {
    const { app } = await createTestApp()
    const page = await app.inject('/api/docs')
    expect(page.headers['content-security-policy']).toContain("script-src 'self';")
    for (const [, path = ''] of page.body.matchAll(/<script src="([^"]+)"/g)) {
      expect((await app.inject(path)).statusCode).toBe(200)
    }
    expect((await app.inject('/api/docs/json')).json()).toHaveProperty('paths')
  })

  it('has no YAML, which takes seconds to write', async () => {
    const { app } = await createTestApp()
    expect((await app.inject('/api/docs/yaml')).statusCode).toBe(404)
  })
})

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'
interface Document {
  readonly paths: Record<string, Partial<Record<Method, OpenAPIV3_1.OperationObject>>>
  readonly components: Record<'schemas' | 'securitySchemes', Record<string, object>>
}
