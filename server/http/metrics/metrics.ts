import { Counter, collectDefaultMetrics, Histogram, Registry } from '@prometheus-io/client'
import type { JobKind } from '#server/platform/jobs/jobs.ts'
import type { Observe } from '../trace-requests.ts'
import { gaugesOf, type Measured } from './gauges.ts'

/** Seconds: from an answer out of memory to ten photos over a slow line. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/**
 * What Prometheus is told of this process. Labels are patterns of routes, verbs, statuses and kinds of jobs: few, known
 * before, and nobody's.
 */
export class Metrics {
  readonly #registry = new Registry()
  readonly #requests = new Counter({
    name: 'unspent_http_requests_total',
    help: 'Answers that were sent',
    labelNames: ['method', 'route', 'status'],
    registers: [this.#registry],
  })
  readonly #seconds = new Histogram({
    name: 'unspent_http_request_seconds',
    help: 'From a request to the last byte of its answer',
    labelNames: ['method', 'route'],
    buckets: BUCKETS,
    registers: [this.#registry],
  })
  readonly #failures = new Counter({
    name: 'unspent_job_failures_total',
    help: 'Jobs that failed, and were tried again or given up',
    labelNames: ['kind', 'outcome'],
    registers: [this.#registry],
  })

  readonly contentType = this.#registry.contentType

  constructor(measured: Measured) {
    collectDefaultMetrics({ register: this.#registry })
    for (const gauge of gaugesOf(measured)) this.#registry.registerMetric(gauge)
  }

  readonly observe: Observe = ({ method, routeOptions }, { statusCode, elapsedTime }) => {
    const labels = { method, route: routeOptions.url ?? 'none' }
    this.#requests.inc({ ...labels, status: statusCode })
    this.#seconds.observe(labels, elapsedTime / 1000)
  }

  readonly jobFailed = (kind: JobKind, givenUp: boolean): void => {
    this.#failures.inc({ kind, outcome: givenUp ? 'given_up' : 'tried_again' })
  }

  /** Everything, in the words of Prometheus. */
  read(): Promise<string> {
    return this.#registry.metrics()
  }
}
