/** What the chat's components need to know about a message. */
export interface ThreadMessage {
  readonly id: string
  readonly message: string
  readonly clientId: string | null
  readonly createdAt: string
}

/** A message to show: stored on the server, or being sent. */
export interface ShownMessage {
  readonly key: string
  readonly text: string
  readonly at: string
  readonly mine: boolean
  /** Above the bubble. */
  readonly name?: string
  readonly state: 'stored' | 'sending' | 'failed'
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
