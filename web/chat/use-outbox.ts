import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { looksLikeCardNumber } from '#domain/card-number.ts'
import { readStored, writeStored } from '#web/kit/store.ts'
import { toast } from '#web/kit/toast.ts'
import { ApiError, parseJson } from '#web/wire/errors.ts'
import { randomUuid } from '#web/wire/random-uuid.ts'
import { translate } from '#web/words/words.ts'
import type { ShownMessage, ThreadMessage } from './message.ts'

/** A message written in this browser that the server does not list yet. */
interface Outgoing {
  readonly clientId: string
  readonly message: string
  /** The card that the conversation is about from this message on. */
  readonly submissionId?: string | null | undefined
  /** Photos to send with it. They do not survive a reload, nor does a message with photos. */
  readonly files?: readonly File[] | undefined
  /** How much of the photos was sent, 0 to 1. */
  readonly share?: number
  readonly at: string
  readonly state: 'sending' | 'sent' | 'failed'
}

type Draft = Pick<Outgoing, 'message' | 'clientId' | 'submissionId' | 'files'>

interface OutboxOptions {
  /** Stores a message. Sending the same `clientId` again stores it once. */
  post: (draft: Draft, onProgress: (share: number) => void) => Promise<unknown>
  /** Called when a message was stored: time to refresh the list. */
  onSent?: () => void
  /** Names the conversation. Unsent messages are sent after a reload. */
  keepAs: string
}

/**
 * Shows messages at once, sends them one by one in order, and keeps failed ones to try again: on request, and when the browser
 * is online again. A toast says that one failed.
 */
export function useOutbox({ post, onSent, keepAs }: OutboxOptions) {
  const [outgoing, setOutgoing] = useState(() => readUnsent(keepAs))
  const line = useRef(Promise.resolve())

  const mark = (clientId: string, part: Partial<Outgoing>) =>
    setOutgoing((all) => all.map((one) => (one.clientId === clientId ? { ...one, ...part } : one)))

  function deliver({ clientId, message, submissionId, files }: Outgoing) {
    line.current = line.current.then(async () => {
      try {
        await post({ clientId, message, submissionId, files }, (share) => mark(clientId, { share }))
        mark(clientId, { state: 'sent' })
        onSent?.()
      } catch (error) {
        mark(clientId, { state: 'failed' })
        sayNotSent(files ? error : undefined)
      }
    })
  }

  /** @returns false for a blank message without photos, which is not sent */
  function send(text: string, more: Pick<Outgoing, 'submissionId' | 'files'> = {}): boolean {
    const message = text.trim()
    if (message === '' && !more.files?.length) return false
    const at = new Date().toISOString()
    const next: Outgoing = { clientId: randomUuid(), message, ...more, at, state: 'sending' }
    setOutgoing((all) => [...all, next])
    deliver(next)
    return true
  }

  function retry(clientId: string) {
    const failed = outgoing.find((one) => one.clientId === clientId && one.state === 'failed')
    if (!failed) return
    mark(clientId, { state: 'sending' })
    deliver(failed)
  }

  useEffect(() => storeUnsent(keepAs, outgoing), [keepAs, outgoing])

  const resume = useEffectEvent(() => {
    for (const one of outgoing) deliver(one)
  })
  const retryAll = useEffectEvent(() => {
    for (const { clientId } of outgoing) retry(clientId)
  })
  useEffect(() => {
    resume()
    const listener = () => retryAll()
    addEventListener('online', listener)
    return () => removeEventListener('online', listener)
  }, [])

  return { outgoing, send, retry }
}

const storageKey = (name: string) => `unsent:${name}`

/** Messages that were unsent before a reload, oldest first. Kept for the life of the tab. */
function readUnsent(name: string): readonly Outgoing[] {
  const found = parseJson(readStored('sessionStorage', storageKey(name)) ?? '')
  return Array.isArray(found) ? found.map((one: Outgoing) => ({ ...one, state: 'sending' })) : []
}

/** Leaves out what looks like a card number, which is a secret, and messages with photos, which cannot be kept here. */
function storeUnsent(name: string, outgoing: readonly Outgoing[]): void {
  const unsent = outgoing.filter(
    ({ state, message, files }) => state !== 'sent' && !files && !looksLikeCardNumber(message),
  )
  writeStored('sessionStorage', storageKey(name), unsent.length > 0 ? JSON.stringify(unsent) : null)
}

/** @param error of an upload, whose refusal says what is wrong with a photo */
function sayNotSent(error: unknown): void {
  const t = translate()
  const description = error instanceof ApiError && error.status >= 400 ? error.message : t('chat.failedText')
  toast({ title: t('chat.failed'), description, variant: 'destructive' })
}

interface Sides<M> {
  mine: (message: M) => boolean
  name?: (message: M) => string | undefined
  /** Whether to say that the other side has seen it. */
  seen?: (message: M) => boolean
}

/** The messages to show: the server's, then those it does not list yet. */
export function shownMessages<M extends ThreadMessage>(
  messages: readonly M[],
  outgoing: readonly Outgoing[],
  { mine, name, seen }: Sides<M>,
): ShownMessage[] {
  const listed = new Set(messages.filter(mine).map(({ clientId }) => clientId))
  const stored = messages.map((one): ShownMessage => {
    const shownName = name?.(one)
    return {
      // Keeps the key it had before it was stored, so that React keeps its bubble.
      key: (mine(one) && one.clientId) || one.id,
      id: one.id,
      text: one.message,
      at: one.createdAt,
      mine: mine(one),
      state: 'stored',
      images: one.images,
      photoCount: one.photoCount,
      ...(shownName && { name: shownName }),
      ...(seen?.(one) && { seen: true }),
    }
  })
  const waiting = outgoing
    .filter(({ clientId }) => !listed.has(clientId))
    .map(
      ({ clientId, message, files, share, at, state }): ShownMessage => ({
        key: clientId,
        text: message,
        at,
        mine: true,
        files,
        share,
        state: state === 'sent' ? 'stored' : state,
      }),
    )
  return [...stored, ...waiting]
}
