import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import type { closeCodes, LIVE_PATH, LIVE_PING, LiveMessage, LiveSide } from '#contract/live.ts'
import type { Route } from '#contract/route.ts'
import { isOffline } from '#web/words/words.ts'
import { parseJson } from './errors.ts'
import { refresh } from './read.ts'

// Only their types come from the contract: importing the values would add zod to every page of a seller.
const path: typeof LIVE_PATH = '/ws'
const PING: typeof LIVE_PING = 'ping'
const types: Readonly<Record<LiveMessage['type'], true>> = {
  NEW_SUBMISSION: true,
  STATUS_UPDATE: true,
  CLAIM_UPDATE: true,
  ASSIGNED: true,
  SUBMISSIONS_CLEARED: true,
  PAYOUT_UPDATE: true,
  BALANCE_UPDATE: true,
  REVEALED: true,
  SELLER_UPDATE: true,
  NEW_CHAT_MESSAGE: true,
  ANSWERING: true,
  THREAD_UPDATE: true,
  PONG: true,
}

const RECONNECT_AFTER = 3000
/** The user has too many windows open. Waits longer, because one may be closed in the meantime. */
const TOO_MANY = 4029 satisfies (typeof closeCodes)['tooMany']
const RECONNECT_LATER = 60_000
const NORMAL_CLOSE = 1000
/** Milliseconds of silence until a ping. */
const PING_AFTER = 12_000
/** Milliseconds to wait for the answer to a ping, or for the channel to open. A dead one is replaced after 22 s. */
const GIVE_UP_AFTER = 10_000

/** `connecting` is the first attempt. `closed` means that the server does not want us to reconnect. */
export type LiveStatus = 'connecting' | 'live' | 'reconnecting' | 'closed'

interface LiveEvents {
  onMessage: (message: LiveMessage) => void
  /** The channel has opened or reopened. Fetch again what is shown: earlier messages were missed. */
  onOpen: () => void
  onStatus: (status: LiveStatus) => void
}

/** Visitors listen to the thread of the session id they have. Sellers and staff listen to their session. */
type Listener = { sessionId: string; side?: undefined } | { side: LiveSide; sessionId?: undefined }

/** Opens the live channel and keeps it open until the returned function is called. */
function openLive({ sessionId, side }: Listener, { onMessage, onOpen, onStatus }: LiveEvents): () => void {
  let socket: WebSocket | undefined
  /** Runs unless a message arrives first: a ping, giving up, or another attempt. */
  let next: ReturnType<typeof setTimeout> | undefined
  let ended = false

  function after(ms: number, act: () => void) {
    clearTimeout(next)
    next = setTimeout(act, ms)
  }

  function connect() {
    if (isOffline()) return after(RECONNECT_AFTER, connect)
    const opened = new WebSocket(liveAddress(sessionId), side)
    socket = opened
    after(GIVE_UP_AFTER, lose)
    opened.onopen = () => {
      after(PING_AFTER, ping)
      onStatus('live')
      onOpen()
    }
    opened.onmessage = ({ data }) => {
      if (ended) return
      after(PING_AFTER, ping)
      const message = parseJson(String(data))
      if (!isLiveMessage(message)) {
        // biome-ignore lint/suspicious/noConsole: unreadable messages are logged and ignored (spec section 7)
        console.warn('Ignored a live message that could not be read')
      } else if (message.type !== 'PONG') onMessage(message)
    }
    opened.onclose = ({ code }) => {
      if (ended) return
      socket = undefined
      clearTimeout(next)
      onStatus(code === NORMAL_CLOSE ? 'closed' : 'reconnecting')
      if (code !== NORMAL_CLOSE) after(code === TOO_MANY ? RECONNECT_LATER : RECONNECT_AFTER, connect)
    }
  }

  function ping() {
    socket?.send(PING)
    after(GIVE_UP_AFTER, lose)
  }

  /** Does not wait for the close event, which can take minutes on a dead connection. */
  function lose() {
    if (socket) {
      socket.onmessage = socket.onclose = null
      leave(socket)
    }
    socket = undefined
    onStatus('reconnecting')
    after(RECONNECT_AFTER, connect)
  }

  /** The browser keeps a connection open that nothing passes through. */
  function goOffline() {
    if (socket) lose()
  }

  /** After sleep or a change of networks the connection may be dead. */
  function check() {
    if (document.visibilityState === 'visible' && socket?.readyState === WebSocket.OPEN) ping()
  }

  function end() {
    ended = true
    clearTimeout(next)
    removeEventListener('online', check)
    removeEventListener('offline', goOffline)
    document.removeEventListener('visibilitychange', check)
    if (socket) leave(socket)
  }

  addEventListener('online', check)
  addEventListener('offline', goOffline)
  document.addEventListener('visibilitychange', check)
  connect()
  return end
}

/** Closes a socket. If it is still opening, waits: browsers log anything else as an error. */
function leave(socket: WebSocket): void {
  if (socket.readyState === WebSocket.CONNECTING) socket.onopen = () => socket.close(NORMAL_CLOSE)
  else socket.close(NORMAL_CLOSE)
}

/** On the page's own host, encrypted if the page is. */
function liveAddress(sessionId: string | undefined): string {
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws'
  const query = sessionId === undefined ? '' : `?${new URLSearchParams({ sessionId })}`
  return `${scheme}://${location.host}${path}${query}`
}

/** Checks only the type: the server validates the rest. */
function isLiveMessage(message: unknown): message is LiveMessage {
  return typeof message === 'object' && message !== null && 'type' in message && String(message.type) in types
}

/** Keeps the live channel open while the component is shown and `enabled`. @returns its status */
export function useLive(
  { sessionId, side, ...events }: Listener & Pick<LiveEvents, 'onMessage' | 'onOpen'>,
  enabled = true,
): LiveStatus {
  const [status, setStatus] = useState<LiveStatus>('connecting')
  const onMessage = useEffectEvent(events.onMessage)
  const onOpen = useEffectEvent(events.onOpen)
  useEffect(() => {
    if (!enabled) return
    const listener = sessionId === undefined ? { side: side as LiveSide } : { sessionId }
    const close = openLive(listener, {
      onMessage: (message) => onMessage(message),
      onOpen: () => onOpen(),
      onStatus: setStatus,
    })
    return () => {
      close()
      setStatus('connecting')
    }
  }, [enabled, sessionId, side])
  return status
}

/** Whether staff are writing a reply, and a function that notes for how many seconds. It ends by itself. */
export function useAnswering(): [isAnswering: boolean, note: (seconds: number) => void] {
  const [until, setUntil] = useState(0)
  useEffect(() => {
    const timer = setTimeout(() => setUntil(0), until - Date.now())
    return () => clearTimeout(timer)
  }, [until])
  return [until > 0, (seconds) => setUntil(seconds && Date.now() + seconds * 1000)]
}

/**
 * Asks who is signed in when the live channel closes: the server closes it when the session ends. Waits a second,
 * because signing out on this page closes it too.
 * @param me the route that says who is signed in
 */
export function useSessionCheck(connected: boolean, me: Route): void {
  const client = useQueryClient()
  useEffect(() => {
    if (!connected) return
    return () => {
      setTimeout(() => {
        if (client.getQueryData([me.path])) void refresh(client, me)
      }, 1000)
    }
  }, [connected, client, me])
}
