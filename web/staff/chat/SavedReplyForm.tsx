import { useQueryClient } from '@tanstack/react-query'
import { routes } from '#contract/routes.ts'
import { type SavedReply, savedReplyForm } from '#contract/saved-replies.ts'
import { refresh } from '../../api/read.ts'
import { Form } from '../../form/Form.tsx'
import { useCallForm } from '../../form/use-call-form.ts'
import { Button } from '../../ui/Button.tsx'
import { TextArea, TextField } from '../../ui/TextField.tsx'
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
