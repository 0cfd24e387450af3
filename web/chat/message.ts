/** What the chat's pieces know of a message; whose it is and who reads it, the screen knows. */
export interface ThreadMessage {
  readonly id: string
  readonly message: string
  readonly clientId: string | null
  readonly createdAt: string
}

/** A message as it is shown: one of the server's, or one on its way there. */
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
 * What is known of a thread, gone on with by its newest messages. Where the two don't meet, somebody was away for
 * longer than a page: what lies between isn't known, so that the older ones are let go.
 */
export function joinMessages<M extends ThreadMessage>(known: readonly M[], newest: readonly M[]): M[] {
  const [first] = newest
  if (!first) return [...known]
  const meeting = known.findIndex(({ id }) => id === first.id)
  return meeting < 0 ? [...newest] : [...known.slice(0, meeting), ...newest]
}

/**
 * The messages before a known one, above what is known; nothing of them where that one is no longer the first. Somebody
 * was away for long meanwhile, or somebody else has signed in.
 */
export function prependMessages<M extends ThreadMessage>(
  older: readonly M[],
  before: M,
  known: readonly M[] | undefined,
): M[] | undefined {
  return known?.[0]?.id === before.id ? [...older, ...known] : known && [...known]
}
