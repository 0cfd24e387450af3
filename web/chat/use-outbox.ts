import { useRef, useState } from 'react'
import { randomUuid } from '#web/wire/random-uuid.ts'
import type { ShownMessage, ThreadMessage } from './message.ts'

/** A message that was written here, from the press of a key until the server's list has it. */
export interface Outgoing {
  readonly clientId: string
  readonly message: string
  readonly at: string
  readonly state: 'sending' | 'sent' | 'failed'
}

interface OutboxOptions {
  /** Stores a message; the same `clientId` again stores it once. */
  post: (draft: { message: string; clientId: string }) => Promise<unknown>
  /** It is stored: the list can be looked at again. */
  onSent?: () => void
  onFailed?: (error: unknown) => void
}

/**
 * Messages are shown as soon as they are sent, go out one after the other in their order, and stay to be tried again
 * when they did not arrive.
 */
export function useOutbox({ post, onSent, onFailed }: OutboxOptions) {
  const [outgoing, setOutgoing] = useState<readonly Outgoing[]>([])
  const line = useRef(Promise.resolve())

  const mark = (clientId: string, state: Outgoing['state']) =>
    setOutgoing((all) => all.map((one) => (one.clientId === clientId ? { ...one, state } : one)))

  function deliver({ clientId, message }: Outgoing) {
    line.current = line.current.then(async () => {
      try {
        await post({ clientId, message })
        mark(clientId, 'sent')
        onSent?.()
      } catch (error) {
        mark(clientId, 'failed')
        onFailed?.(error)
      }
    })
  }

  /** @returns false for a message without words, which isn't sent */
  function send(text: string): boolean {
    const message = text.trim()
    if (message === '') return false
    const next: Outgoing = { clientId: randomUuid(), message, at: new Date().toISOString(), state: 'sending' }
    setOutgoing((all) => [...all, next])
    deliver(next)
    return true
  }

  function retry(clientId: string) {
    const failed = outgoing.find((one) => one.clientId === clientId && one.state === 'failed')
    if (!failed) return
    mark(clientId, 'sending')
    deliver(failed)
  }

  return { outgoing, send, retry }
}

interface Sides<M> {
  mine: (message: M) => boolean
  name?: (message: M) => string | undefined
  /** Above one's own that isn't stored yet. */
  myName?: string
}

/** The thread as it is shown: the server's messages, then those it doesn't list yet. */
export function shownMessages<M extends ThreadMessage>(
  messages: readonly M[],
  outgoing: readonly Outgoing[],
  { mine, name, myName }: Sides<M>,
): ShownMessage[] {
  const listed = new Set(messages.filter(mine).map(({ clientId }) => clientId))
  const stored = messages.map((one): ShownMessage => {
    const shownName = name?.(one)
    return {
      // The same key as before it was stored, so that its bubble stays where it is.
      key: (mine(one) && one.clientId) || one.id,
      text: one.message,
      at: one.createdAt,
      mine: mine(one),
      state: 'stored',
      ...(shownName && { name: shownName }),
    }
  })
  const waiting = outgoing
    .filter(({ clientId }) => !listed.has(clientId))
    .map(
      ({ clientId, message, at, state }): ShownMessage => ({
        key: clientId,
        text: message,
        at,
        mine: true,
        state: state === 'sent' ? 'stored' : state,
        ...(myName && { name: myName }),
      }),
    )
  return [...stored, ...waiting]
}
