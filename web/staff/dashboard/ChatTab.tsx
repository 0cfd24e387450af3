import { MessagesSquare } from 'lucide-react'
import { ButtonLink } from '#web/kit/Button.tsx'
import { EmptyState } from '#web/kit/EmptyState.tsx'
import { paths } from '#web/words/paths.ts'

export function ChatTab() {
  return (
    <div className="mx-auto w-full max-w-2xl px-4 py-10">
      <EmptyState
        icon={<MessagesSquare aria-hidden="true" />}
        title="Chat Management"
        action={<ButtonLink to={paths.adminChat}>Open Chat Management</ButtonLink>}
      >
        View and respond to user messages
      </EmptyState>
    </div>
  )
}
