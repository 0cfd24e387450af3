import { useQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { routes } from '#contract/routes.ts'
import { waitingLists } from '#domain/chat.ts'
import { Button } from '#web/kit/Button.tsx'
import { cx } from '#web/kit/cx.ts'
import { useMedia, WIDER_THAN_PHONE } from '#web/kit/media.ts'
import { Waiting } from '#web/kit/Skeleton.tsx'
import { toast } from '#web/kit/toast.ts'
import { toastFailure } from '#web/wire/errors.ts'
import { read } from '#web/wire/read.ts'
import { TalkArt } from '../../chat/TalkArt.tsx'
import { useAddress } from '../list/use-address.ts'
import { useOpenRow } from '../list/use-open-row.ts'
import { KeyButton } from '../shell/keys/KeyHint.tsx'
import { KeysDialog } from '../shell/keys/KeysDialog.tsx'
import { useKeys } from '../shell/keys/use-keys.ts'
import { QueryStatus } from '../shell/QueryStatus.tsx'
import { ScreenHeader } from '../shell/StaffScreen.tsx'
import { findLongestWaiting } from '../shell/thread-queries.ts'
import { useStaff } from '../shell/use-staff.ts'
import { Conversation } from './Conversation.tsx'
import { isShownList, ThreadList } from './ThreadList.tsx'
import { useOpenThread, useThreads } from './use-threads.ts'

/** All conversations, the open one, and its customer, as far as there is room for them beside each other. */
export default function ChatManagement() {
  const live = useStaff().status === 'live'
  const [address, change] = useAddress()
  const [thread, user, about, q, list] = ['thread', 'user', 'about', 'q', 'show'].map(
    (name) => address.get(name) ?? undefined,
  )
  const show = isShownList(list) ? list : 'open'
  const usual = waitingLists.includes(show) ? 'waiting' : 'newest'
  const asked = address.get('sort')
  const sort = asked === 'waiting' || asked === 'newest' ? asked : usual
  const threads = useThreads({ show, q: q ?? '', sort }, live)
  const listed = threads.rows.find(({ id }) => id === thread)
  const open = useOpenThread({ thread, user }, listed, live)
  const [chosen, setChosen] = useState<string>()

  // Stays the same function, so that memoized rows do not render again.
  const choose = useCallback(
    (id: string) => {
      setChosen(id)
      // Back returns from a conversation to the list, not to the previous conversation.
      const replace = new URLSearchParams(location.search).has('thread')
      change({ thread: id, user: undefined, about: undefined }, { replace })
    },
    [change],
  )
  const openId = open.thread?.id ?? thread
  function stepTo(id: string) {
    choose(id)
    // The next J or K must not be typed into the reply box.
    setChosen(undefined)
  }
  const { step } = useOpenRow(threads.rows, ({ id }) => stepTo(id), {
    parameter: 'thread',
    fallback: openId,
  })
  const openLongestWaiting = (show: (id: string) => void, otherwise?: () => void) =>
    void findLongestWaiting(openId).then(
      (waiting) => (waiting ? show(waiting.id) : otherwise?.()),
      toastFailure('Error', 'The conversation could not be loaded.'),
    )
  const openNext = () => openLongestWaiting(choose, () => toast({ title: 'Nobody else is waiting' }))
  const [keysShown, showKeys] = useState(false)
  useKeys({
    chatNext: () => step(1),
    chatPrevious: () => step(-1),
    chatWaiting: openNext,
    help: () => showKeys(true),
  })
  const close = () => change({ thread: undefined, user: undefined, about: undefined })

  return (
    <div data-chat-management="" className="flex h-dvh flex-col">
      <ScreenHeader
        title="Chat Management"
        intro="View and respond to user messages"
        className={open.thread && 'max-md:hidden'}
      />
      <main
        id="content"
        tabIndex={-1}
        className="grid min-h-0 flex-1 grid-rows-[minmax(0,1fr)] bg-surface outline-none md:grid-cols-[19rem_minmax(0,1fr)] lg:grid-cols-[20rem_minmax(0,1fr)] min-[90rem]:grid-cols-[22rem_minmax(0,1fr)]"
      >
        <ThreadList
          threads={threads}
          selected={openId}
          onSelect={choose}
          show={show}
          onShow={(next) => change({ show: next === 'open' ? undefined : next, sort: undefined })}
          q={q ?? ''}
          onSearch={(text) => change({ q: text })}
          sort={sort}
          onSort={(next) => change({ sort: next === usual ? undefined : next })}
          onKeys={() => showKeys(true)}
          className={cx(open.isAsked && 'max-md:hidden')}
        />
        <Opened
          open={open}
          asked={about}
          live={live}
          chosen={chosen}
          onBack={close}
          onNext={openNext}
          onPutAway={() => openLongestWaiting(stepTo, close)}
          onClosed={() => openLongestWaiting(choose)}
        />
      </main>
      <KeysDialog of="Chat" open={keysShown} onOpenChange={showKeys} />
    </div>
  )
}

interface OpenedProps {
  open: ReturnType<typeof useOpenThread>
  /** The submission that the address asks to write about. */
  asked: string | undefined
  live: boolean
  chosen: string | undefined
  onBack: () => void
  /** Opens the conversation that has waited longest for a reply. */
  onNext: () => void
  /** Called after the open conversation was closed or snoozed by its button. */
  onPutAway: () => void
  /** Called after a reply that closes the open conversation. */
  onClosed: () => void
}

function Opened({
  open: { query, thread, isAsked, isMissing },
  asked,
  live,
  chosen,
  onBack,
  onNext,
  onPutAway,
  onClosed,
}: OpenedProps) {
  const waiting = useQuery(read(routes.chatCounts, {})).data?.waiting ?? 0
  // On a phone, focusing the reply box would open the keyboard over the messages.
  const hasKeyboard = useMedia(WIDER_THAN_PHONE)
  if (thread) {
    return (
      <Conversation
        key={thread.id}
        thread={thread}
        asked={asked}
        live={live}
        chosen={hasKeyboard && thread.id === chosen}
        onBack={onBack}
        onPutAway={onPutAway}
        onClosed={onClosed}
      />
    )
  }
  if (isAsked && !isMissing) {
    const loading = <Waiting>Loading the conversation...</Waiting>
    return <QueryStatus query={query} noun="the conversation" loading={loading} />
  }
  return (
    <div className={cx('grid content-center bg-page p-6', !isAsked && 'max-md:hidden')}>
      {isMissing && (
        <p role="status" className="pb-4 text-center text-caution">
          Conversation not found.
        </p>
      )}
      <div className="grid justify-items-center gap-2 text-center">
        <TalkArt />
        <p className="pt-3 font-semibold text-lg">Select a Conversation</p>
        <p className="text-pretty text-soft">
          Choose a conversation from the left to view and reply to messages
        </p>
        <div className="pt-3 empty:hidden">
          {isMissing && (
            <Button variant="secondary" onClick={onBack} className="md:hidden">
              All conversations
            </Button>
          )}
          {waiting > 0 && (
            <KeyButton action="chatWaiting" variant="secondary" onClick={onNext}>
              Open the longest waiting
            </KeyButton>
          )}
        </div>
      </div>
    </div>
  )
}
