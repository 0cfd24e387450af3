import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ErrorCode, errorMeanings, errorStatuses } from '#contract/errors.ts'
import { callLimits } from '#contract/limits.ts'
import { describeApi } from '#contract/openapi/document.ts'
import { groups } from '#contract/openapi/groups.ts'
import { pathOf } from '#contract/openapi/operation.ts'
import type { Operation } from '#contract/openapi/types.ts'
import type { Route } from '#contract/route.ts'
import { routes } from '#contract/routes.ts'
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

  it('has commands that all work', () => {
    expect(complaints).toBe('')
    expect(printed).toHaveLength(steps.length)
    expect(steps.length).toBeGreaterThan(10)
  })

  it.each([...steps.entries()])('says what step %d prints', (at, { prints }) => {
    const found = printed[at]?.trim() ?? 'nothing: an earlier step failed'
    if (!prints) expect(found).toBe('')
    else if (prints.kind === 'text') expect(found).toMatch(patternOf(prints.text))
    else expect(JSON.parse(found)).toMatchObject(JSON.parse(prints.text, anything))
  })

  it('has every code of an error', () => {
    const rows = Object.entries(errorStatuses).map(
      ([code, status]) => `| ${status} | \`${code}\` | ${errorMeanings[code as ErrorCode]} |`,
    )
    expect(between('errors')).toBe(table(['status', 'code', 'what it means'], rows))
  })

  it('has every limit', () => {
    const rows = Object.entries(callLimits).map(([name, { points, seconds }]) => {
      const paths = Object.values<Route>(routes).filter(({ limit }) => limit === name)
      const named =
        paths.length > 8 ? `${paths.length} routes` : paths.map(({ path }) => `\`${path}\``).join(' ')
      return `| ${name} | ${points} in ${seconds / 60} min | ${named} |`
    })
    expect(between('limits')).toBe(table(['bucket', 'calls', 'of'], rows))
  })
})

/** `…` in a document is whatever it is this time. */
const anything = (_name: string, value: unknown) => (value === '…' ? expect.anything() : value)

function between(mark: string): string | undefined {
  return new RegExp(`<!-- ${mark} -->\n(.*)<!-- /${mark} -->`, 's').exec(markdown)?.[1]
}

function table(head: readonly string[], rows: readonly string[]): string {
  return [`| ${head.join(' | ')} |`, `| ${head.map(() => '---').join(' | ')} |`, ...rows, ''].join('\n')
}

describe('the OpenAPI document', () => {
  const document = describeApi({
    name: 'Unspent',
    version: '1.2.3',
    cookies: { seller: 'a_seller', staff: 'a_staff' },
  })
  const operations = Object.values(document.paths).flatMap((path) => Object.values<Operation>(path))

  it('is valid OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate(JSON.parse(JSON.stringify(document)))
    expect(errors).toBeUndefined()
    expect(valid).toBe(true)
  })

  it('has every route once, under its name', () => {
    expect(groups.flatMap((group) => Object.keys(group.routes)).sort()).toEqual(Object.keys(routes).sort())
    expect(operations.map(({ operationId }) => operationId).sort()).toEqual(
      [...Object.keys(routes), 'live'].sort(),
    )
    for (const [name, route] of Object.entries<Route>(routes)) {
      expect(document.paths[pathOf(route)]?.[route.method.toLowerCase()]?.operationId).toBe(name)
    }
  })

  it('refers to nothing that is not there', () => {
    const whole = JSON.stringify(document)
    const references = [...whole.matchAll(/"\$ref":"#\/components\/(\w+)\/([^"]+)"/g)]
    expect(references.length).toBe(whole.split('"$ref"').length - 1)
    for (const [, kind, name] of references) {
      expect(document.components, name).toHaveProperty([kind ?? '', name ?? ''])
    }
  })

  it('says who may call, what is sent in which form, and what is answered', () => {
    const submit = document.paths['/api/gift-cards']?.post
    expect(submit).toMatchObject({
      security: [{ seller: [] }],
      'x-rate-limit': { calls: 60, seconds: 3600 },
      parameters: [{ name: 'Idempotency-Key', in: 'header', required: false }],
      requestBody: {
        required: true,
        content: { 'multipart/form-data': { schema: { allOf: expect.anything() } } },
      },
      responses: {
        201: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Submitted' } } } },
        409: { $ref: '#/components/responses/KeyReusedOrQuoteChanged' },
      },
    })
    expect(document.paths['/api/brands']?.get?.security).toEqual([])
    expect(document.components.securitySchemes).toMatchObject({ staff: { in: 'cookie', name: 'a_staff' } })
  })

  it('has what is sent as it is sent, and not as it is read', () => {
    const { schemas } = document.components
    expect(schemas.Registration?.properties?.email).toMatchObject({ type: 'string', format: 'email' })
    expect(schemas.SubmissionForm?.properties?.denomination).toMatchObject({
      anyOf: [{ type: 'string', maxLength: 32 }, { type: 'number' }],
    })
    expect(schemas.SubmissionForm?.required).not.toContain('paymentType')
    expect(document.paths['/api/my-transactions']?.get?.parameters?.[0]).toEqual({
      name: 'limit',
      in: 'query',
      required: false,
      schema: { type: 'integer', minimum: 1, maximum: 200, default: 50 },
    })
  })
})
