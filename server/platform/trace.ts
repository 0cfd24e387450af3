import { AsyncLocalStorage } from 'node:async_hooks'

/** What code runs for. */
export interface Trace {
  /** The answer's `x-request-id`. Null in a job that no request asked for. */
  readonly requestId: string | null
}

/** Set for each request and each job. Lines of the log, jobs and webhooks take the id from here. */
export const trace = new AsyncLocalStorage<Trace | undefined>()
