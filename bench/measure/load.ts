import { Agent, type RequestOptions, request } from 'node:http'

export interface Call {
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Buffer | string
  /** The expected status, 200 by default. */
  readonly status?: number
}

export interface Load {
  readonly url: string
  /** The call of each turn. */
  readonly call: (turn: number) => Call
  readonly total: number
  readonly connections: number
  /** Stops before all calls are sent. */
  readonly signal?: AbortSignal
}

export interface Loaded {
  readonly perSecond: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
}

/** Sends calls over several connections, each as soon as the one before is answered. */
export async function load({ url, call, total, connections, signal }: Load): Promise<Loaded> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const { hostname, port } = new URL(url)
  const times: number[] = []
  let turn = 0
  const startedAt = performance.now()
  const worker = async () => {
    while (turn < total && !signal?.aborted) {
      const { status = 200, body, ...more } = call(turn++)
      const sentAt = performance.now()
      const answered = await send({ agent, hostname, port, ...more }, body)
      if (answered.status !== status) {
        throw new Error(`${more.method ?? 'GET'} ${more.path} answered ${answered.status}: ${answered.start}`)
      }
      times.push(performance.now() - sentAt)
    }
  }
  try {
    await Promise.all(Array.from({ length: connections }, worker))
  } finally {
    agent.destroy()
  }
  const seconds = (performance.now() - startedAt) / 1000
  times.sort((a, b) => a - b)
  return { perSecond: times.length / seconds, p50: quantile(times, 0.5), p99: quantile(times, 0.99) }
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** Sends one call. @returns the status of its answer, and how it starts */
export function send(
  options: RequestOptions,
  body: Buffer | string | undefined,
): Promise<{ status: number; start: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(options, (response) => {
      let start = ''
      response.once('data', (chunk: Buffer) => {
        start = chunk.subarray(0, 200).toString()
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, start })).on('error', reject)
    })
    sent.on('error', reject)
    sent.end(body)
  })
}
