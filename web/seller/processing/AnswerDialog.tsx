import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { routes } from '#contract/routes.ts'
import type { SellerSubmission } from '#contract/submissions.ts'
import { MAX_PHOTO_BYTES, MAX_PHOTOS, PHOTO_ACCEPT } from '#domain/photo-files.ts'
import { messageOf } from '../../api/errors.ts'
import { refresh } from '../../api/read.ts'
import { upload } from '../../api/upload.ts'
import { cardName } from '../../quote/card-name.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { PhotoPicker } from '../../ui/photos/PhotoPicker.tsx'
import { usePhotos } from '../../ui/photos/use-photos.ts'
import { TextArea } from '../../ui/TextField.tsx'
import { toast } from '../../ui/toast.ts'

interface AnswerDialogProps {
  submission: SellerSubmission
  open: boolean
  onClose: () => void
}

export function AnswerDialog({ submission, open, onClose }: AnswerDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title={`Answer about your ${cardName(submission.brandName)}`}
    >
      {submission.statusReason && (
        <Notice tone="caution">
          <p className="wrap-anywhere whitespace-pre-line">{submission.statusReason}</p>
        </Notice>
      )}
      <AnswerForm submission={submission} onClose={onClose} />
    </Dialog>
  )
}

function AnswerForm({ submission, onClose }: Omit<AnswerDialogProps, 'open'>) {
  const client = useQueryClient()
  const [message, setMessage] = useState('')
  const [pressed, setPressed] = useState(false)
  const picked = usePhotos({ max: MAX_PHOTOS, maxBytes: MAX_PHOTO_BYTES, accept: PHOTO_ACCEPT })
  const blank = message.trim() === ''

  const answer = useMutation({
    mutationFn: () =>
      upload(routes.answer, {
        params: { id: submission.id },
        fields: { message },
        files: picked.photos.map(({ file }) => file),
      }),
    onSuccess: async () => {
      toast({ title: 'Answer Sent', description: 'The review of your card goes on.' })
      onClose()
      await refresh(client, routes.mySubmissions, routes.myTransactions, routes.myHistory)
    },
    onError: (error) =>
      toast({
        title: 'Error',
        description: messageOf(error, 'Failed to send message. Please try again.'),
        variant: 'destructive',
      }),
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    setPressed(true)
    if (!blank && !answer.isPending && !picked.preparing) answer.mutate()
  }

  return (
    <form noValidate onSubmit={submit} className="grid gap-5">
      <TextArea
        label="Your answer"
        value={message}
        onChange={(event) => setMessage(event.currentTarget.value)}
        error={pressed && blank ? 'Message is required' : undefined}
      />
      <PhotoPicker
        name="images"
        label="More photos"
        hint="PNG, JPG up to 10MB each"
        accept={PHOTO_ACCEPT}
        max={MAX_PHOTOS}
        places={[]}
        picked={picked}
        disabled={answer.isPending}
      />
      <Button type="submit" loading={answer.isPending} aria-disabled={blank || undefined}>
        {answer.isPending ? 'Sending...' : 'Send Answer'}
      </Button>
    </form>
  )
}
