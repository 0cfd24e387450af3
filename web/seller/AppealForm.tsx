import { useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { routes } from '#contract/routes.ts'
import type { SellerSubmission } from '#contract/submissions.ts'
import { MAX_PHOTO_BYTES, MAX_PHOTOS, PHOTO_ACCEPT } from '#domain/photo-files.ts'
import { toastUnlessAtField, useCallForm } from '#web/forms/use-call-form.ts'
import { Button } from '#web/kit/Button.tsx'
import { Form } from '#web/kit/Form.tsx'
import { Notice } from '#web/kit/Notice.tsx'
import { PhotoPicker } from '#web/kit/photos/PhotoPicker.tsx'
import { usePhotos } from '#web/kit/photos/use-photos.ts'
import { TextArea } from '#web/kit/TextField.tsx'
import { toast } from '#web/kit/toast.ts'
import { upload } from '#web/wire/upload.ts'
import { useWords } from '#web/words/words.ts'
import { useCardNumberCheck } from '../chat/CardNumberWarning.tsx'
import { keepTyped, readTyped } from '../chat/typed-text.ts'
import { refreshCards } from './refresh-cards.ts'

export function AppealForm({ card, onClose }: AppealFormProps) {
  const t = useWords()
  const client = useQueryClient()
  const picked = usePhotos({ max: MAX_PHOTOS, maxBytes: MAX_PHOTO_BYTES, accept: PHOTO_ACCEPT })
  const { form, sending, submit, field } = useCallForm({
    schema: () => import('#contract/submissions.ts').then((contract) => contract.appealForm),
    start: { message: readTyped(card.id) },
    send: ({ message }) =>
      upload(routes.appeal, {
        params: { id: card.id },
        fields: { message },
        files: picked.photos.map(({ file }) => file),
      }),
    onDone: () => {
      toast({ title: t('appeal.sent'), description: t('appeal.sentText') })
      onClose()
      void refreshCards(client)
    },
    failed: toastUnlessAtField(t('appeal.failed'), t('appeal.failedText')),
  })
  const check = useCardNumberCheck({ send: () => void submit(), edit: () => form.focus('message') })

  function noteChange() {
    check.forget()
    keepTyped(card.id, form.getValues().message)
  }
  function submitOnce(event: FormEvent) {
    event.preventDefault()
    if (sending.isPending || sending.isSuccess || picked.preparing) return
    check.sendChecked(form.getValues().message)
  }

  return (
    <Form onSubmit={submitOnce} onChange={noteChange}>
      {card.statusReason && (
        <Notice tone="negative" title={t('appeal.rejectedFor')}>
          <p className="wrap-anywhere whitespace-pre-line">{card.statusReason}</p>
        </Notice>
      )}
      <TextArea
        label={t('appeal.message')}
        hint={t('appeal.hint')}
        {...field('message')}
        data-typed={readTyped(card.id) !== '' || undefined}
      />
      {check.warning}
      <PhotoPicker label={t('appeal.photos')} slots={[]} picked={picked} disabled={sending.isPending} />
      <Button type="submit" loading={sending.isPending || picked.preparing} className="sm:justify-self-end">
        {t(sending.isPending ? 'appeal.sending' : 'appeal.send')}
      </Button>
    </Form>
  )
}

interface AppealFormProps {
  card: Pick<SellerSubmission, 'id' | 'statusReason'>
  onClose: () => void
}
