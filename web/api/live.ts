import { useEffect, useEffectEvent, useState } from 'react'
import type { closeCodes, LIVE_PATH, LiveMessage } from '#contract/live.ts'
import { parseJson } from './errors.ts'

// Checked against the contract; imported from there it would bring the library of the schemas to every seller.
const path: typeof LIVE_PATH = '/ws'
const types: Readonly<Record<LiveMessage['type'], true>> = {
  NEW_SUBMISSION: true,
  STATUS_UPDATE: true,
  CLAIM_UPDATE: true,
  SUBMISSIONS_CLEARED: true,
  NEW_CHAT_MESSAGE: true,
  THREAD_UPDATE: true,
}

const RECONNECT_AFTER = 3000
/** Too many windows of one person are open: another may be closed meanwhile. */
const TOO_MANY = 4029 satisfies (typeof closeCodes)['tooMany']
const RECONNECT_LATER = 60_000
const NORMAL_CLOSE = 1000

interface LiveEvents {
  onMessage: (message: LiveMessage) => void
  /**
   * The channel is open, for the first time or again: what happened between the last answer and now was not
   * heard, and has to be fetched.
   */
  onOpen: () => void
  onStatus?: (connected: boolean) => void
  /** A visitor listens to the thread that they hold the key of; without one it is whoever is signed in. */
  sessionId?: string | undefined
}

/** Opens the live channel and keeps it open until the returned function is called. */
function openLive({ onMessage, onOpen, onStatus, sessionId }: LiveEvents): () => void {
  let socket: WebSocket | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let ended = false

  function connect() {
    socket = new WebSocket(liveAddress(sessionId))
    socket.onopen = () => {
      if (ended) return end()
      onStatus?.(true)
      onOpen()
    }
    socket.onmessage = ({ data }) => {
      if (ended) return
      const message = parseJson(String(data))
      if (isLiveMessage(message)) onMessage(message)
      // biome-ignore lint/suspicious/noConsole: unreadable messages are logged and ignored (spec section 7)
      else console.warn('Ignored a live message that could not be read')
    }
    socket.onclose = ({ code }) => {
      if (ended) return
      onStatus?.(false)
      if (code === NORMAL_CLOSE) return
      timer = setTimeout(connect, code === TOO_MANY ? RECONNECT_LATER : RECONNECT_AFTER)
    }
  }

  function end() {
    ended = true
    clearTimeout(timer)
    // One that is still opening ends once it is open: the console of a browser calls anything else a failure.
    if (socket?.readyState !== WebSocket.CONNECTING) socket?.close(NORMAL_CLOSE)
  }

  connect()
  return end
}

/** Always the page's own host, encrypted where the page is. */
function liveAddress(sessionId: string | undefined): string {
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws'
  const query = sessionId === undefined ? '' : `?${new URLSearchParams({ sessionId })}`
  return `${scheme}://${location.host}${path}${query}`
}

/** What the rest of a message holds, the server has checked. */
function isLiveMessage(message: unknown): message is LiveMessage {
  return typeof message === 'object' && message !== null && 'type' in message && String(message.type) in types
}

/** The live channel as long as a component is shown and somebody may listen; says whether it is open. */
export function useLive({ sessionId, ...events }: Omit<LiveEvents, 'onStatus'>, enabled = true): boolean {
  const [connected, setConnected] = useState(false)
  const onMessage = useEffectEvent(events.onMessage)
  const onOpen = useEffectEvent(events.onOpen)
  useEffect(() => {
    if (!enabled) return
    const close = openLive({
      onMessage: (message) => onMessage(message),
      onOpen: () => onOpen(),
      onStatus: setConnected,
      sessionId,
    })
    return () => {
      close()
      setConnected(false)
    }
  }, [enabled, sessionId])
  return connected
}
