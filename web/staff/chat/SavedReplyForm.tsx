import { useForm } from 'react-hook-form'
import type { z } from 'zod'
import { type SavedReply, savedReplyForm } from '#contract/saved-replies.ts'
import { Button } from '../../ui/Button.tsx'
import { schemaResolver } from '../../ui/schema-resolver.ts'
import { TextArea, TextField } from '../../ui/TextField.tsx'
import { useSaveReply } from './use-saved-replies.ts'

interface SavedReplyFormProps {
  /** The one to change; without, a new one. */
  reply?: SavedReply
  /** What a new one begins with. */
  begun?: string
  onDone: () => void
}

export function SavedReplyForm({ reply, begun = '', onDone }: SavedReplyFormProps) {
  const form = useForm<z.input<typeof savedReplyForm>>({
    resolver: schemaResolver(savedReplyForm),
    defaultValues: { title: reply?.title ?? '', text: reply?.text ?? begun },
  })
  const save = useSaveReply(reply, onDone)
  const { errors } = form.formState
  return (
    <form noValidate onSubmit={form.handleSubmit((body) => save.mutate(body))} className="grid gap-4">
      <TextField
        label="Title"
        hint="How you find it again"
        autoFocus
        dir="auto"
        error={errors.title?.message}
        {...form.register('title')}
      />
      <TextArea label="Text" rows={7} dir="auto" error={errors.text?.message} {...form.register('text')} />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" loading={save.isPending}>
          {save.isPending ? 'Saving...' : 'Save'}
        </Button>
        <Button variant="quiet" onClick={onDone}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
