import { useQuery } from '@tanstack/react-query'
import { MessageCircle } from 'lucide-react'
import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { routes } from '#contract/routes.ts'
import { cx } from '#web/kit/cx.ts'
import { lazyComponent } from '#web/kit/lazy-component.ts'
import { ROOM_BESIDE_PAGE, useMedia } from '#web/kit/media.ts'
import { useLocation, useSearchParams } from '#web/kit/router/index.ts'
import { read } from '#web/wire/read.ts'
import { paths } from '#web/words/paths.ts'
import { useWords, withWords } from '#web/words/words.ts'
import type { AskedCard } from './SupportPanel.tsx'

/** How often to ask for replies while there is no live channel and the chat is closed. */
const POLL_UNREAD_MS = 30_000
/** The button is in the top bar, where it covers nothing, unless there is room beside the page. */
const SUPPORT_SLOT = 'support-chat'

const SupportPanel = lazyComponent(() =>
  withWords('seller', import('./SupportPanel.tsx')).then((module) => module.SupportPanel),
)

/**
 * The support chat's button. The chat itself is loaded when first opened. Links in emails open it with `?chat=open`, and links on
 * a card with the card's id.
 */
export function SupportChat({ connected, isAnswering, open, onOpenChange }: SupportChatProps) {
  const t = useWords()
  const [opened, setOpened] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const roomy = useMedia(ROOM_BESIDE_PAGE)
  const unread = useUnread({ connected, open })
  const [address, setAddress] = useSearchParams()
  const [asked, ask] = useState<AskedCard>()
  const link = address.get('chat')
  const shownCard = useLocation().pathname === paths.accountCard ? address.get('id') : null
  useEffect(() => {
    if (link === null) return
    ask(link === 'open' ? undefined : link)
    setOpened(true)
    onOpenChange(true)
    const rest = new URLSearchParams(location.search)
    rest.delete('chat')
    setAddress(rest, { replace: true })
  }, [link, setAddress, onOpenChange])
  function change(open: boolean) {
    setOpened(true)
    // On a card's page, the chat is about that card.
    ask((open && shownCard) || undefined)
    onOpenChange(open)
  }
  return (
    <>
      <Slot floating={roomy}>
        <button
          ref={button}
          type="button"
          aria-haspopup="dialog"
          aria-expanded={open}
          onClick={() => change(!open)}
          data-floating={roomy ? 'button' : undefined}
          className={cx(
            'inline-flex items-center justify-center gap-2 font-semibold transition-colors',
            roomy
              ? 'fixed right-4 bottom-6 z-20 min-h-12 rounded-lg bg-accent px-4 text-on-accent shadow-raised hover:bg-accent-strong'
              : 'relative min-h-11 min-w-11 shrink-0 rounded-md hover:bg-sunken xl:w-41 xl:justify-start xl:gap-1.5 xl:pl-2',
          )}
        >
          <MessageCircle aria-hidden="true" className="size-5 shrink-0" />
          <span className={cx('whitespace-nowrap', !roomy && 'max-xl:sr-only')}>{t('site.supportChat')}</span>
          {unread > 0 && <Unread count={unread} floating={roomy} />}
        </button>
      </Slot>
      {opened && (
        <Suspense>
          <SupportPanel
            open={open}
            onOpenChange={change}
            asked={asked}
            onAsk={ask}
            button={button}
            connected={connected}
            isAnswering={isAnswering}
          />
        </Suspense>
      )}
    </>
  )
}

interface SupportChatProps {
  /** Whether the live channel is open. */
  connected: boolean
  /** Whether staff are writing a reply. */
  isAnswering: boolean
  open: boolean
  onOpenChange: (open: boolean) => void
}

function useUnread({ connected, open }: { connected: boolean; open: boolean }): number {
  const { data } = useQuery({
    ...read(routes.myUnread, {}),
    refetchInterval: connected ? false : POLL_UNREAD_MS,
  })
  return open ? 0 : (data?.unreadCount ?? 0)
}

function Slot({ floating, children }: { floating: boolean; children: ReactNode }) {
  const slot = floating ? null : document.getElementById(SUPPORT_SLOT)
  return slot ? createPortal(children, slot) : children
}

function Unread({ count, floating }: { count: number; floating: boolean }) {
  const t = useWords()
  return (
    <>
      <span
        className={cx(
          'figures absolute grid h-5 min-w-5 shrink-0 place-items-center rounded-full bg-negative-strong px-1 text-on-negative text-xs',
          floating ? '-top-1 -right-1' : 'top-0.5 right-0.5 xl:static',
        )}
      >
        {count > 99 ? '99+' : count}
      </span>
      <span className="sr-only">{t('site.supportChat.unread')}</span>
    </>
  )
}
