/** What the chat's components need to know about a message. */
export interface ThreadMessage {
  readonly id: string
  readonly message: string
  readonly clientId: string | null
  readonly createdAt: string
  readonly images?: readonly string[]
  readonly photoCount?: number
}

/** A message to show: stored on the server, or being sent. */
export interface ShownMessage {
  readonly key: string
  /** On the server, once it is stored. */
  readonly id?: string
  readonly text: string
  readonly at: string
  readonly mine: boolean
  /** Above the bubble. */
  readonly name?: string
  readonly state: 'stored' | 'sending' | 'failed'
  readonly images?: readonly string[] | undefined
  readonly photoCount?: number | undefined
  /** Photos that are being sent. */
  readonly files?: readonly File[] | undefined
  /** How much of the photos was sent, 0 to 1. */
  readonly share?: number | undefined
  /** Says below it that the other side has seen it. */
  readonly seen?: boolean
}

/** Messages of one sender in a row, with one name above and one time below. */
type Run = readonly ShownMessage[]

/** The runs of messages that were sent on one day in the reader's time zone. */
export interface Day {
  /** The first moment of the day. */
  readonly start: Date
  readonly runs: readonly Run[]
}

/** Milliseconds between two messages of one sender that begin a new run. */
const RUN_ENDS_AFTER = 5 * 60_000

/** Groups messages by day, and those of one sender soon after each other. */
export function groupMessages(messages: readonly ShownMessage[]): Day[] {
  const days: { start: Date; runs: ShownMessage[][] }[] = []
  for (const message of messages) {
    const start = new Date(new Date(message.at).setHours(0, 0, 0, 0))
    const day = days.at(-1)
    const run = day?.runs.at(-1)
    if (day?.start.getTime() !== start.getTime()) days.push({ start, runs: [[message]] })
    else if (run && continues(run, message)) run.push(message)
    else day.runs.push([message])
  }
  return days
}

function continues(run: Run, { mine, name, at }: ShownMessage): boolean {
  const last = run.at(-1)
  if (!last || last.mine !== mine || last.name !== name) return false
  return Date.parse(at) - Date.parse(last.at) < RUN_ENDS_AFTER
}

/**
 * Adds the newest messages to the known ones. If the two don't overlap, messages between them are missing, so the known
 * ones are dropped.
 */
export function joinMessages<M extends ThreadMessage>(known: readonly M[], newest: readonly M[]): M[] {
  const [first] = newest
  if (!first) return [...known]
  const meeting = known.findIndex(({ id }) => id === first.id)
  return meeting < 0 ? [...newest] : [...known.slice(0, meeting), ...newest]
}

/** Adds older messages above the known ones, unless `before` is no longer the first: then the list has been replaced. */
export function prependMessages<M extends ThreadMessage>(
  older: readonly M[],
  before: M,
  known: readonly M[] | undefined,
): M[] | undefined {
  return known?.[0]?.id === before.id ? [...older, ...known] : known && [...known]
}
