import { AsyncLocalStorage } from 'node:async_hooks'

/** What code runs for: a request or a job. */
export interface Trace {
  /** The answer's `x-request-id`. Null in a job that no request asked for. */
  readonly requestId: string | null
  /** The step under way. Only while traces are sent. */
  readonly span?: OpenSpan | undefined
}

/** A step with a name. */
export interface Step {
  readonly name: string
  /** `client`: another server does the work. */
  readonly kind?: 'server' | 'consumer' | 'client'
  readonly attributes?: Attributes
}

/** Kinds, numbers and ids of ours, but nothing that a person typed: they leave the server. */
export type Attributes = Readonly<Record<string, string | number>>

export interface OpenSpan {
  /** Names it to other servers: https://www.w3.org/TR/trace-context/#traceparent-header */
  readonly traceparent: string
  /** @param error why it failed */
  end(attributes?: Attributes, error?: unknown): void
}

/** Set for each request and each job. Lines of the log, jobs and webhooks take the id from here. */
export const trace = new AsyncLocalStorage<Trace | undefined>()

type StartSpan = (step: Step, parent: OpenSpan | string | null) => OpenSpan
let startSpan: StartSpan | undefined

/** Sends the spans of all requests and jobs from now on, or no more. */
export function sendSpans(start: StartSpan | undefined): void {
  startSpan = start
}

/** Begins a request or a job. @param parent the `traceparent` of what asked for it */
export function startTrace(requestId: string | null, step: () => Step, parent: string | null = null): Trace {
  if (!startSpan) return { requestId }
  return { requestId, span: trace.run({ requestId }, startSpan, step(), parent) }
}

/** Does a step of the current request or job. */
export function inSpan<T>(step: Step | (() => Step), work: () => Promise<T>): Promise<T> {
  if (!startSpan) return work()
  const current = trace.getStore()
  if (!current?.span) return work()
  const span = startSpan(typeof step === 'function' ? step() : step, current.span)
  return trace.run({ ...current, span }, () => endSpan(span, work()))
}

/** Ends the span when its work does. */
export async function endSpan<T>(span: OpenSpan | undefined, work: Promise<T>): Promise<T> {
  try {
    const result = await work
    span?.end()
    return result
  } catch (error) {
    span?.end({}, error)
    throw error
  }
}
