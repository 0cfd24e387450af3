import { Plus } from 'lucide-react'
import { useState } from 'react'
import type { SavedReply } from '#contract/saved-replies.ts'
import { Button } from '#web/kit/Button.tsx'
import { Dialog } from '#web/kit/Dialog.tsx'
import { SavedReplyForm } from './SavedReplyForm.tsx'
import { useDeleteReply } from './use-saved-replies.ts'

interface ManageRepliesProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  replies: readonly SavedReply[]
  /** What is in the reply box: a new saved reply begins with it. */
  written: string
}

/** The saved replies of all staff: what there is, one more, changed or gone. */
export function ManageReplies({ open, onOpenChange, replies, written }: ManageRepliesProps) {
  /** Which one is being written: one there is, a new one, or none. */
  const [editing, setEditing] = useState<SavedReply | 'new'>()

  function change(next: boolean) {
    setEditing(undefined)
    onOpenChange(next)
  }

  return (
    <Dialog
      open={open}
      onOpenChange={change}
      wide
      title="Saved replies"
      description="All staff use and change the same ones."
    >
      {editing === undefined && (
        <>
          {replies.length === 0 ? (
            <p className="rounded-md border border-line border-dashed p-6 text-center text-soft">
              There are none yet. Save the answers that you give often.
            </p>
          ) : (
            <ul aria-label="Saved replies" className="divide-y divide-line">
              {replies.map((reply) => (
                <Reply key={reply.id} reply={reply} onEdit={() => setEditing(reply)} />
              ))}
            </ul>
          )}
          <div>
            <Button onClick={() => setEditing('new')} icon={<Plus aria-hidden="true" className="size-4" />}>
              Add a saved reply
            </Button>
          </div>
        </>
      )}
      {editing !== undefined && (
        <SavedReplyForm
          {...(editing === 'new' ? { begun: written } : { reply: editing })}
          onDone={() => setEditing(undefined)}
        />
      )}
    </Dialog>
  )
}

function Reply({ reply, onEdit }: { reply: SavedReply; onEdit: () => void }) {
  const [asking, setAsking] = useState(false)
  const remove = useDeleteReply(reply.id)
  return (
    <li className="grid gap-x-4 gap-y-2 py-3 sm:grid-cols-[minmax(0,1fr)_auto]">
      <div className="min-w-0">
        <p dir="auto" className="font-semibold wrap-anywhere">
          {reply.title}
        </p>
        <p dir="auto" className="line-clamp-3 whitespace-pre-line text-soft text-sm wrap-anywhere">
          {reply.text}
        </p>
      </div>
      {asking ? (
        <div className="flex items-center gap-2">
          <Button variant="danger" size="sm" loading={remove.isPending} onClick={() => remove.mutate()}>
            Delete for everybody
          </Button>
          <Button variant="quiet" size="sm" onClick={() => setAsking(false)}>
            Keep
          </Button>
        </div>
      ) : (
        <div className="flex items-center gap-2">
          <Button variant="secondary" size="sm" aria-label={`Edit ${reply.title}`} onClick={onEdit}>
            Edit
          </Button>
          <Button
            variant="quiet"
            size="sm"
            aria-label={`Delete ${reply.title}`}
            onClick={() => setAsking(true)}
          >
            Delete
          </Button>
        </div>
      )}
    </li>
  )
}
