import { useEffect, useEffectEvent, useState } from 'react'
import { LIVE_PATH, type LiveMessage, liveMessage } from '#contract/live.ts'
import { parseJson } from './errors.ts'

const RECONNECT_AFTER = 3000
const NORMAL_CLOSE = 1000

interface LiveEvents {
  onMessage: (message: LiveMessage) => void
  /** The channel is open again after it was lost: what happened meanwhile has to be fetched. */
  onReconnect: () => void
  onStatus?: (connected: boolean) => void
}

/** Opens the live channel and keeps it open until the returned function is called. */
export function openLive({ onMessage, onReconnect, onStatus }: LiveEvents): () => void {
  let socket: WebSocket | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let wasLost = false
  let ended = false

  function connect() {
    socket = new WebSocket(liveAddress())
    socket.onopen = () => {
      onStatus?.(true)
      if (wasLost) onReconnect()
      wasLost = false
    }
    socket.onmessage = ({ data }) => {
      const message = liveMessage.safeParse(parseJson(String(data)))
      if (message.success) onMessage(message.data)
      // biome-ignore lint/suspicious/noConsole: unreadable messages are logged and ignored (spec section 7)
      else console.warn('Ignored a live message that could not be read')
    }
    socket.onclose = ({ code }) => {
      if (ended) return
      onStatus?.(false)
      if (code === NORMAL_CLOSE) return
      wasLost = true
      timer = setTimeout(connect, RECONNECT_AFTER)
    }
  }

  connect()
  return () => {
    ended = true
    clearTimeout(timer)
    socket?.close(NORMAL_CLOSE)
  }
}

/** Always the page's own host, encrypted where the page is. */
function liveAddress(): string {
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws'
  return `${scheme}://${location.host}${LIVE_PATH}`
}

/** The live channel as long as a component is shown and somebody is signed in; says whether it is open. */
export function useLive(events: Pick<LiveEvents, 'onMessage' | 'onReconnect'>, enabled = true): boolean {
  const [connected, setConnected] = useState(false)
  const onMessage = useEffectEvent(events.onMessage)
  const onReconnect = useEffectEvent(events.onReconnect)
  useEffect(() => {
    if (!enabled) return
    const close = openLive({
      onMessage: (message) => onMessage(message),
      onReconnect: () => onReconnect(),
      onStatus: setConnected,
    })
    return () => {
      close()
      setConnected(false)
    }
  }, [enabled])
  return connected
}
