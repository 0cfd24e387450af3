import {
  type Context,
  DiagLogLevel,
  diag,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace as spans,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  type IdGenerator,
  ParentBasedSampler,
  RandomIdGenerator,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Logger } from 'pino'
import type { Config } from '#server/platform/config/config.ts'
import type { SamplerName } from '#server/platform/config/settings.ts'
import { errorCodeOf } from '#server/platform/jobs/jobs.ts'
import manifest from '../../package.json' with { type: 'json' }
import { type Attributes, type OpenSpan, sendSpans, trace } from './trace.ts'

/** Spans that wait for the collector: at most a few megabytes. Later ones are dropped. */
const MAX_WAITING = 2048
/** For one request to the collector with its retries, and so for the last one of a process that stops. */
const EXPORT_MS = 5_000
/** A collector that is down is one line of the log in this time. */
const WARN_EVERY_MS = 10 * 60_000

type Settings = Pick<Config, 'otelServiceName' | 'otelSampler' | 'otelSamplerArg'>

/**
 * Sends spans to the collector of OTEL_EXPORTER_OTLP_ENDPOINT. The exporter reads that variable and OTEL_EXPORTER_OTLP_HEADERS itself.
 * @returns a function that sends what waits, and ends it
 */
export function startTracing(settings: Settings, log: Logger): () => Promise<void> {
  reportFailures(log)
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': settings.otelServiceName,
      'service.version': manifest.version,
    }),
    sampler: samplers[settings.otelSampler](settings.otelSamplerArg),
    idGenerator: ids,
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new OTLPTraceExporter({ timeoutMillis: EXPORT_MS }),
        maxQueueSize: MAX_WAITING,
      }),
    ],
  })
  const tracer = provider.getTracer('unspent')
  sendSpans(({ name, kind, attributes = {} }, parent) => {
    const context = typeof parent === 'string' ? contextOf(parent) : (parent as SentSpan | null)?.context
    const options = { kind: kind ? kinds[kind] : SpanKind.INTERNAL, attributes }
    return new SentSpan(tracer.startSpan(name, options, context ?? ROOT_CONTEXT))
  })
  return async () => {
    sendSpans(undefined)
    await provider.shutdown().catch(() => undefined)
    diag.disable()
  }
}

const kinds = { server: SpanKind.SERVER, consumer: SpanKind.CONSUMER, client: SpanKind.CLIENT }

/** As https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables defines them. */
const samplers: Record<SamplerName, (ratio: number) => Sampler> = {
  always_on: () => new AlwaysOnSampler(),
  always_off: () => new AlwaysOffSampler(),
  traceidratio: (ratio) => new TraceIdRatioBasedSampler(ratio),
  parentbased_always_on: () => new ParentBasedSampler({ root: new AlwaysOnSampler() }),
  parentbased_always_off: () => new ParentBasedSampler({ root: new AlwaysOffSampler() }),
  parentbased_traceidratio: (ratio) => new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
}

const random = new RandomIdGenerator()
const ids: IdGenerator = {
  /** A request's id without hyphens, so that its answer and the lines of the log lead to the trace. */
  generateTraceId: () => trace.getStore()?.requestId?.replaceAll('-', '') ?? random.generateTraceId(),
  generateSpanId: () => random.generateSpanId(),
}

class SentSpan implements OpenSpan {
  readonly #span: Span
  readonly context: Context
  constructor(span: Span) {
    this.#span = span
    this.context = spans.setSpan(ROOT_CONTEXT, span)
  }

  get traceparent(): string {
    const { traceId, spanId, traceFlags } = this.#span.spanContext()
    return `00-${traceId}-${spanId}-0${traceFlags}`
  }

  end(attributes: Attributes = {}, error?: unknown): void {
    this.#span.setAttributes(attributes)
    if (error !== undefined) {
      this.#span.setStatus({ code: SpanStatusCode.ERROR })
      this.#span.setAttribute('error.type', codeOf(error))
    }
    this.#span.end()
  }
}

/** Messages of errors repeat addresses and values, so only the code leaves. */
function codeOf(error: unknown): string {
  const { code } = Object(error)
  return typeof code === 'string' && /^\w{1,40}$/.test(code) ? code : errorCodeOf(error)
}

/** Undefined if it is not a `traceparent`. */
function contextOf(traceparent: string): Context | undefined {
  const [, traceId, spanId, flags] = /^00-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})$/.exec(traceparent) ?? []
  if (!traceId || !spanId) return undefined
  const parent: SpanContext = { traceId, spanId, traceFlags: Number(`0x${flags}`), isRemote: true }
  return spans.setSpanContext(ROOT_CONTEXT, parent)
}

/** The SDK reports failed requests to the collector here. */
function reportFailures(log: Logger): void {
  const silent = () => undefined
  let next = 0
  const error = (message: string) => {
    if (Date.now() < next) return
    next = Date.now() + WARN_EVERY_MS
    const code = /"code":"(\w{1,20})"/.exec(message)?.[1]
    // Runs for the request that filled the batch.
    trace.run(undefined, () =>
      log.warn({ code }, 'the collector of OTEL_EXPORTER_OTLP_ENDPOINT takes no traces; it tries again'),
    )
  }
  diag.setLogger(
    { error, warn: silent, info: silent, debug: silent, verbose: silent },
    { logLevel: DiagLogLevel.ERROR, suppressOverrideMessage: true },
  )
}
