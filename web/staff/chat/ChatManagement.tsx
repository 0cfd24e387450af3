import { LayoutDashboard, MessagesSquare } from 'lucide-react'
import { useCallback, useState } from 'react'
import { Button, ButtonLink } from '#web/kit/Button.tsx'
import { cx } from '#web/kit/cx.ts'
import { EmptyState } from '#web/kit/EmptyState.tsx'
import { useMedia, WIDER_THAN_PHONE } from '#web/kit/media.ts'
import { Failure } from '#web/kit/Notice.tsx'
import { PageTitle } from '#web/kit/PageTitle.tsx'
import { Waiting } from '#web/kit/Skeleton.tsx'
import { messageOf } from '#web/wire/errors.ts'
import { paths } from '#web/words/paths.ts'
import { useAddress } from '../lists/use-address.ts'
import { StaffHeader } from '../StaffHeader.tsx'
import { useStaff } from '../use-staff.ts'
import { Conversation } from './Conversation.tsx'
import { ThreadList } from './ThreadList.tsx'
import { type OpenThread, useOpenThread, useThreads } from './use-threads.ts'
import './chat.css'

/** All conversations and the open one. A phone shows one or the other. */
export default function ChatManagement() {
  const { live } = useStaff()
  const [address, change] = useAddress()
  const [thread, user, q] = ['thread', 'user', 'q'].map((name) => address.get(name) ?? undefined)
  const threads = useThreads(q ?? '', live)
  const listed = threads.rows.find(({ id }) => id === thread)
  const open = useOpenThread({ thread, user }, listed, live)
  const [chosen, setChosen] = useState<string>()

  // Stays the same function, so that memoized rows do not render again.
  const choose = useCallback(
    (id: string) => {
      setChosen(id)
      // Back returns from a conversation to the list, not to the previous conversation.
      const replace = new URLSearchParams(location.search).has('thread')
      change({ thread: id, user: undefined }, { replace })
    },
    [change],
  )
  const search = (text: string) => change({ q: text })
  const close = () => change({ thread: undefined, user: undefined })

  return (
    <div data-chat-management="" className="flex h-dvh flex-col">
      <PageTitle>Chat Management</PageTitle>
      <StaffHeader title="Chat Management">
        <div className={cx('flex items-center gap-4 pb-3 lg:pb-0', open.state === 'open' && 'max-md:hidden')}>
          <p className="text-soft text-sm">View and respond to user messages</p>
          <ButtonLink
            to={paths.admin}
            variant="quiet"
            size="sm"
            icon={<LayoutDashboard aria-hidden="true" className="size-4" />}
          >
            Dashboard
          </ButtonLink>
        </div>
      </StaffHeader>
      <main
        id="content"
        tabIndex={-1}
        className="grid min-h-0 flex-1 grid-rows-[minmax(0,1fr)] gap-4 p-4 outline-none max-md:p-2 md:grid-cols-[20rem_minmax(0,1fr)] lg:grid-cols-[24rem_minmax(0,1fr)] lg:px-6"
      >
        <ThreadList
          threads={threads}
          selected={open.state === 'open' ? open.thread.id : thread}
          onSelect={choose}
          q={q ?? ''}
          onSearch={search}
          className={cx(open.state !== 'none' && 'max-md:hidden')}
        />
        <Opened open={open} live={live} chosen={chosen} onBack={close} />
      </main>
    </div>
  )
}

interface OpenedProps {
  open: OpenThread
  live: boolean
  chosen: string | undefined
  onBack: () => void
}

function Opened({ open, live, chosen, onBack }: OpenedProps) {
  // On a phone, focusing the reply box would open the keyboard over the messages.
  const hasKeyboard = useMedia(WIDER_THAN_PHONE)
  if (open.state === 'open') {
    const { thread } = open
    return (
      <Conversation
        key={thread.id}
        thread={thread}
        live={live}
        chosen={hasKeyboard && thread.id === chosen}
        onBack={onBack}
      />
    )
  }
  if (open.state === 'loading') return <Waiting>Loading the conversation...</Waiting>
  if (open.state === 'failed') {
    const message = messageOf(open.error, 'The conversation could not be loaded.')
    return <Failure message={message} onRetry={open.retry} />
  }
  return (
    <div className={cx('grid content-center', open.state === 'none' && 'max-md:hidden')}>
      {open.state === 'missing' && (
        <p role="status" className="pb-4 text-center text-caution">
          Conversation not found.
        </p>
      )}
      <EmptyState
        icon={<MessagesSquare aria-hidden="true" />}
        title="Select a Conversation"
        action={
          open.state === 'missing' && (
            <Button variant="secondary" onClick={onBack} className="md:hidden">
              All conversations
            </Button>
          )
        }
      >
        Choose a conversation from the left to view and reply to messages
      </EmptyState>
    </div>
  )
}
