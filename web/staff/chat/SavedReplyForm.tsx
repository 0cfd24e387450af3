import { useQueryClient } from '@tanstack/react-query'
import { routes } from '#contract/routes.ts'
import { type SavedReply, savedReplyForm } from '#contract/saved-replies.ts'
import { Button } from '#web/kit/Button.tsx'
import { Form } from '#web/kit/Form.tsx'
import { TextArea, TextField } from '#web/kit/TextField.tsx'
import { refresh } from '#web/wire/read.ts'
import { useCallForm } from '#web/wire/use-call-form.ts'
import { failure, saveReply } from './use-saved-replies.ts'

interface SavedReplyFormProps {
  /** The one to change; without, a new one. */
  reply?: SavedReply
  /** What a new one begins with. */
  begun?: string
  onDone: () => void
}

export function SavedReplyForm({ reply, begun = '', onDone }: SavedReplyFormProps) {
  const client = useQueryClient()
  const { sending, submit, field } = useCallForm({
    schema: savedReplyForm,
    start: { title: reply?.title ?? '', text: reply?.text ?? begun },
    send: async (typed) => {
      await saveReply(reply, typed)
      await refresh(client, routes.savedReplies)
    },
    onDone,
    failed: (error) => failure(error, 'Failed to save the reply'),
  })
  return (
    <Form onSubmit={submit} className="grid gap-4">
      <TextField label="Title" hint="How you find it again" autoFocus dir="auto" {...field('title')} />
      <TextArea label="Text" rows={7} dir="auto" {...field('text')} />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" loading={sending.isPending}>
          {sending.isPending ? 'Saving...' : 'Save'}
        </Button>
        <Button variant="quiet" onClick={onDone}>
          Cancel
        </Button>
      </div>
    </Form>
  )
}
