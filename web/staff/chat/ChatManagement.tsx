import { LayoutDashboard, MessagesSquare } from 'lucide-react'
import { PageTitle } from '../../layout/PageTitle.tsx'
import { paths } from '../../paths.ts'
import { useSearchParams } from '../../router/index.ts'
import { ButtonLink } from '../../ui/Button.tsx'
import { cx } from '../../ui/cx.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { StaffHeader } from '../StaffHeader.tsx'
import { Conversation } from './Conversation.tsx'
import { ThreadList } from './ThreadList.tsx'
import { useThreads } from './use-threads.ts'
import './toasts.css'

/** All conversations, a seller's or a visitor's, and the one that is open. On a narrow screen one of the two. */
export default function ChatManagement() {
  const [address, setAddress] = useSearchParams()
  const selected = address.get('thread') ?? undefined
  const threads = useThreads(address.get('q') ?? '')
  // A search that no longer finds the open conversation doesn't close it.
  const thread = threads.find(selected)

  function change(name: 'thread' | 'q', value: string | undefined) {
    const next = new URLSearchParams(address)
    if (value) next.set(name, value)
    else next.delete(name)
    setAddress(next, { replace: true })
  }

  return (
    <div data-chat-management="" className="flex h-dvh flex-col">
      <PageTitle>Chat Management</PageTitle>
      <StaffHeader title="Chat Management">
        <div className="flex items-center gap-4 pb-3 lg:pb-0">
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
      <main className="grid min-h-0 flex-1 grid-rows-[minmax(0,1fr)] gap-4 p-4 md:grid-cols-[20rem_minmax(0,1fr)] lg:grid-cols-[24rem_minmax(0,1fr)] lg:px-6">
        <ThreadList
          threads={threads}
          selected={thread?.id}
          onSelect={(id) => change('thread', id)}
          onSearch={(q) => change('q', q)}
          className={cx(thread && 'max-md:hidden')}
        />
        {thread ? (
          <Conversation key={thread.id} thread={thread} onBack={() => change('thread', undefined)} />
        ) : (
          <div className="grid content-center max-md:hidden">
            <EmptyState icon={<MessagesSquare aria-hidden="true" />} title="Select a Conversation">
              Choose a conversation from the left to view and reply to messages
            </EmptyState>
          </div>
        )}
      </main>
    </div>
  )
}
