import { useMutation, useQueryClient } from '@tanstack/react-query'
import { AlarmClock, Archive, ArchiveRestore, MailOpen, UserMinus, UserPlus } from 'lucide-react'
import { type RefObject, useRef, useState } from 'react'
import { routes } from '#contract/routes.ts'
import type { ChatThread, ThreadChange } from '#contract/staff-chat.ts'
import { may } from '#domain/roles.ts'
import { ActionDialog } from '#web/forms/ActionForm.tsx'
import { Menu, MenuAction } from '#web/kit/Menu.tsx'
import { Time, timeText } from '#web/kit/Time.tsx'
import { type ToastMessage, toast } from '#web/kit/toast.ts'
import { toastFailure } from '#web/wire/errors.ts'
import { useWords } from '#web/words/words.ts'
import { AssignMenu } from '../facts/AssignMenu.tsx'
import { KeyButton, KeyHint } from '../shell/keys/KeyHint.tsx'
import { useKeys } from '../shell/keys/use-keys.ts'
import { changeThread, refreshThreads } from '../shell/thread-queries.ts'
import { useStaff } from '../shell/use-staff.ts'
import { snoozeTimes } from './snooze-times.ts'
import { useUndo } from './use-undo.ts'

interface ThreadActionsProps {
  thread: ChatThread
  /** Closes the conversation on the screen. */
  onLeave: () => void
  /** Called after it was closed or snoozed, unless another one has opened. */
  onPutAway: () => void
}

/** The buttons that assign, snooze and close a conversation, or mark it as unread. */
export function ThreadActions({ thread, onLeave, onPutAway }: ThreadActionsProps) {
  const { admin } = useStaff()
  const change = useChange(thread, onPutAway)
  const withUndo = useUndo(thread)
  const [snoozing, setSnoozing] = useState(false)
  const snoozeButton = useRef<HTMLButtonElement>(null)
  const [asking, setAsking] = useState(false)
  const isMine = thread.assignedTo?.id === admin.id
  const isClosed = thread.state === 'closed'
  const close = () =>
    change({ closed: !isClosed }, isClosed ? 'Conversation Reopened' : 'Conversation Closed')
  const assign = () => change({ assignedTo: isMine ? 'none' : 'me' })
  function markUnread() {
    // It would be marked as read again while it shows.
    onLeave()
    change({ unread: true }, 'Marked as Unread')
  }

  // The menu has its own letter keys.
  useKeys(
    snoozing
      ? {}
      : {
          // A key that was meant for the reply must not end the wait of a customer.
          chatClose: () => (thread.waitingSince && !isClosed ? setAsking(true) : close()),
          chatAssign: assign,
          chatSnooze: () => snoozeButton.current?.click(),
          chatUnread: markUnread,
        },
  )

  return (
    // Where there is little room, an icon beside a label is hidden. One without a label stays.
    <div className="flex flex-wrap gap-2 max-xl:[&_span[aria-hidden]]:hidden! sm:max-2xl:[&_svg:has(+[data-label])]:hidden">
      <KeyButton
        action="chatAssign"
        variant="secondary"
        size="sm"
        title={isMine ? 'Unassign' : 'Assign to me'}
        onClick={assign}
        icon={isMine ? <UserMinus /> : <UserPlus />}
      >
        <Label>{isMine ? 'Unassign' : 'Assign to me'}</Label>
      </KeyButton>
      <AssignMenu
        current={thread.assignedTo?.id}
        mayTake={(role) => may(role, 'chat')}
        onAssign={(assignee) => change({ assignedTo: assignee ?? 'none' }, 'Assignment Changed')}
      />
      <Snooze
        thread={thread}
        button={snoozeButton}
        open={snoozing}
        onOpenChange={setSnoozing}
        onChange={change}
      />
      <KeyButton
        action="chatClose"
        variant="secondary"
        size="sm"
        title={isClosed ? 'Reopen' : 'Close'}
        onClick={close}
        icon={isClosed ? <ArchiveRestore /> : <Archive />}
      >
        <Label>{isClosed ? 'Reopen' : 'Close'}</Label>
      </KeyButton>
      <KeyButton
        action="chatUnread"
        variant="secondary"
        size="sm"
        title="Mark unread"
        onClick={markUnread}
        icon={<MailOpen />}
      >
        <span className="max-[1400px]:sr-only">Mark unread</span>
      </KeyButton>
      <ActionDialog
        open={asking}
        onClose={() => setAsking(false)}
        title="Close without a reply?"
        description={`${thread.username} is waiting for a reply. The next message opens the conversation again.`}
        send={() => changeThread(thread, { closed: true })}
        done={() => withUndo({ title: 'Conversation Closed', description: thread.username })}
        onDone={onPutAway}
        refreshes={[routes.chatThreads, routes.chatCounts]}
        failed="Failed to change the conversation"
        submit="Close conversation"
        cancel="Keep open"
        focusSubmit
      />
    </div>
  )
}

/** Phones have room for the icon only. */
function Label({ children }: { children: string }) {
  return (
    <span data-label className="max-sm:sr-only">
      {children}
    </span>
  )
}

interface SnoozeProps {
  thread: ChatThread
  button: RefObject<HTMLButtonElement | null>
  open: boolean
  onOpenChange: (open: boolean) => void
  onChange: ReturnType<typeof useChange>
}

function Snooze({ thread, onChange, ...menu }: SnoozeProps) {
  const { locale } = useWords()
  function snooze(until: string) {
    menu.onOpenChange(false)
    onChange(
      { snoozedUntil: until },
      'Conversation Snoozed',
      `${thread.username}, until ${timeText(locale, until, 'dateTime24')}`,
    )
  }
  function endSnooze() {
    menu.onOpenChange(false)
    onChange({ snoozedUntil: null }, 'Conversation Reopened')
  }
  const label = (
    <>
      <AlarmClock />
      <Label>Snooze</Label> <KeyHint action="chatSnooze" />
    </>
  )
  return (
    <Menu label={label} size="sm" {...menu}>
      {snoozeTimes(new Date()).map(({ label, until }) => (
        <MenuAction key={label} onSelect={() => snooze(until.toISOString())}>
          <span className="flex-1">{label}</span>
          <span className="text-soft text-sm">
            <Time at={until.toISOString()} as="dateTime24" />
          </span>
        </MenuAction>
      ))}
      {thread.state === 'snoozed' && <MenuAction onSelect={endSnooze}>End the snooze</MenuAction>}
    </Menu>
  )
}

/** @returns sends a change. `title` is the toast's; without one the change is visible anyway */
function useChange(
  thread: ChatThread,
  onPutAway: () => void,
): (change: ThreadChange, title?: string, description?: string) => void {
  const client = useQueryClient()
  const withUndo = useUndo(thread)
  const { mutate, isPending } = useMutation({
    mutationFn: ({ change }: { change: ThreadChange; done: ToastMessage | undefined }) =>
      changeThread(thread, change),
    onSuccess: (_, { done }) => {
      if (done) toast(done)
      return refreshThreads(client)
    },
    onError: toastFailure('Error', 'Failed to change the conversation'),
  })
  return (change, title, description = thread.username) => {
    if (isPending) return
    const isPutAway = change.closed || change.snoozedUntil
    const message = title ? { title, description } : undefined
    const done = message && isPutAway ? withUndo(message) : message
    mutate({ change, done }, { onSuccess: () => isPutAway && onPutAway() })
  }
}
