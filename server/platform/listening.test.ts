import fastify, { type FastifyInstance } from 'fastify'
import { afterEach, expect, it } from 'vitest'
import type { Metrics } from '#server/http/metrics/metrics.ts'
import { listenForMetrics } from '#server/http/metrics/metrics.ts'
import { OperatorError } from '#server/platform/config/operator-error.ts'
import { listen } from './listening.ts'

const opened: FastifyInstance[] = []
afterEach(async () => {
  for (const app of opened.splice(0)) await app.close()
})

function app(): FastifyInstance {
  const made = fastify()
  opened.push(made)
  return made
}

it.each([
  ['127.0.0.1', /^http:\/\/127.0.0.1:\d+$/],
  ['0.0.0.0', /^http:\/\/localhost:\d+$/],
])('listening on %s returns an address for the browser', async (host, url) => {
  expect(await listen(app(), { host, port: 0 })).toMatch(url)
})

it('names the setting if the address is in use', async () => {
  const url = await listen(app(), { host: '127.0.0.1', port: 0 })
  const port = Number(new URL(url).port)
  const taken = /^listen EADDRINUSE: [^\n]*; stop it or set another /
  const refused = await listen(app(), { host: '127.0.0.1', port }).catch((error) => error)
  expect(refused).toBeInstanceOf(OperatorError)
  expect(refused.message).toMatch(new RegExp(`${taken.source}PORT$`))
  await expect(listenForMetrics({} as Metrics, { host: '127.0.0.1', port })).rejects.toThrow(
    new RegExp(`${taken.source}METRICS_PORT$`),
  )
})

it.each([
  ['nobody.invalid', /^getaddrinfo \w+ nobody.invalid: HOST names an unknown host$/],
  ['192.0.2.1', /^listen EADDRNOTAVAIL: [^\n]*: HOST is not an address of this machine$/],
])('names HOST if it is %s', async (host, message) => {
  await expect(listen(app(), { host, port: 0 })).rejects.toThrow(message)
})
