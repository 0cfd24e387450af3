import { Send } from 'lucide-react'
import type { FormEvent, KeyboardEvent } from 'react'
import { type ChatThread, MAX_MESSAGE_LENGTH } from '#contract/chat.ts'
import { Button } from '../../ui/Button.tsx'
import { controlClass } from '../../ui/Field.tsx'
import { useReply } from './use-reply.ts'

export function ReplyBox({ thread }: { thread: ChatThread }) {
  const { text, write, send, isPending } = useReply(thread)

  function submit(event: FormEvent) {
    event.preventDefault()
    send()
  }

  function onKeyDown(event: KeyboardEvent) {
    // Enter also ends the input of a composed character, which is no wish to send.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    send()
  }

  return (
    <form onSubmit={submit} className="grid gap-1.5 border-line border-t p-3">
      {thread.answeringBy && (
        <p role="status" className="text-accent text-sm">
          {thread.answeringBy} is answering
        </p>
      )}
      <div className="flex items-end gap-2">
        <textarea
          aria-label="Reply"
          aria-describedby="reply-hint"
          placeholder="Type your reply..."
          rows={2}
          maxLength={MAX_MESSAGE_LENGTH}
          value={text}
          onChange={(event) => write(event.currentTarget.value)}
          onKeyDown={onKeyDown}
          className={`${controlClass} resize-y`}
        />
        <Button
          type="submit"
          loading={isPending}
          disabled={text.trim() === ''}
          icon={<Send aria-hidden="true" className="size-4" />}
        >
          Send
        </Button>
      </div>
      <p id="reply-hint" className="text-soft text-xs">
        Press Enter to send, Shift+Enter for new line
      </p>
    </form>
  )
}
