import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { routes } from '#contract/routes.ts'
import { type SavedReply, savedReplyForm } from '#contract/saved-replies.ts'
import { ActionForm } from '#web/forms/ActionForm.tsx'
import { Button } from '#web/kit/Button.tsx'
import { Dialog } from '#web/kit/Dialog.tsx'
import { TextArea, TextField } from '#web/kit/TextField.tsx'
import { call } from '#web/wire/call.ts'
import { ApiError, toastFailure } from '#web/wire/errors.ts'
import { refresh } from '#web/wire/read.ts'

interface ManageRepliesProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  replies: readonly SavedReply[]
  /** The text in the reply box: a new saved reply starts with it. */
  written: string
}

/** Lists, adds, edits and deletes the saved replies. */
export function ManageReplies({ open, onOpenChange, replies, written }: ManageRepliesProps) {
  const [editing, setEditing] = useState<SavedReply | 'new'>()

  function change(next: boolean) {
    setEditing(undefined)
    onOpenChange(next)
  }

  return (
    <Dialog open={open} onOpenChange={change} wide title="Saved replies" description="Shared by all staff.">
      {editing === undefined && (
        <>
          {replies.length === 0 ? (
            <p className="rounded-md border border-line border-dashed p-6 text-center text-soft">
              No saved replies yet. Save the answers you give often.
            </p>
          ) : (
            <ul aria-label="Saved replies" className="divide-y divide-line">
              {replies.map((reply) => (
                <Reply key={reply.id} reply={reply} onEdit={() => setEditing(reply)} />
              ))}
            </ul>
          )}
          <div>
            <Button onClick={() => setEditing('new')} icon={<Plus />}>
              Add a saved reply
            </Button>
          </div>
        </>
      )}
      {editing !== undefined && (
        <ReplyForm
          {...(editing === 'new' ? { startText: written } : { reply: editing })}
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
            Delete for everyone
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

interface ReplyFormProps {
  /** The reply to edit; undefined for a new one. */
  reply?: SavedReply
  /** A new reply starts with this text. */
  startText?: string
  onDone: () => void
}

function ReplyForm({ reply, startText = '', onDone }: ReplyFormProps) {
  const client = useQueryClient()
  return (
    <ActionForm
      schema={savedReplyForm}
      start={{
        title: reply?.title ?? '',
        text: reply?.text ?? startText,
        spanishText: reply?.spanishText ?? '',
      }}
      send={async (body) => {
        if (reply) await call(routes.changeSavedReply, { params: { id: reply.id }, body })
        else await call(routes.saveReply, { body })
        await refresh(client, routes.savedReplies)
      }}
      failed="Failed to save the reply"
      onDone={onDone}
      onCancel={onDone}
      submit="Save"
    >
      {(field) => (
        <>
          <TextField label="Title" hint="How you will find it" autoFocus dir="auto" {...field('title')} />
          <TextArea label="Text" rows={5} dir="auto" {...field('text')} />
          <TextArea
            label="Text in Spanish"
            hint="For customers who read Spanish"
            rows={5}
            optional
            lang="es"
            {...field('spanishText')}
          />
        </>
      )}
    </ActionForm>
  )
}

function useDeleteReply(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call(routes.deleteSavedReply, { params: { id } }),
    onError: (error) => {
      // A colleague has already deleted it.
      if (!(error instanceof ApiError && error.status === 404))
        toastFailure('Error', 'Failed to delete the reply')(error)
    },
    onSettled: () => refresh(client, routes.savedReplies),
  })
}
