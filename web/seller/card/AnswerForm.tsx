import { useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { routes } from '#contract/routes.ts'
import type { SellerSubmission } from '#contract/submissions.ts'
import { MAX_PHOTO_BYTES, MAX_PHOTOS, PHOTO_ACCEPT } from '#domain/photo-files.ts'
import { isFinal } from '#domain/submission.ts'
import { toastUnlessAtField, useCallForm } from '#web/forms/use-call-form.ts'
import { Button } from '#web/kit/Button.tsx'
import { copyText } from '#web/kit/copy-text.ts'
import { Form } from '#web/kit/Form.tsx'
import { Notice } from '#web/kit/Notice.tsx'
import { PhotoPicker } from '#web/kit/photos/PhotoPicker.tsx'
import { usePhotos } from '#web/kit/photos/use-photos.ts'
import { TextArea } from '#web/kit/TextField.tsx'
import { toast } from '#web/kit/toast.ts'
import { upload } from '#web/wire/upload.ts'
import { useWords } from '#web/words/words.ts'
import type { FieldCode, Key } from '#words/keys.ts'
import { useCardNumberCheck } from '../../chat/CardNumberWarning.tsx'
import { keepTyped, readTyped } from '../../chat/typed-text.ts'
import { refreshCards } from '../refresh-cards.ts'

export function AnswerForm({ submission, onClose }: AnswerFormProps) {
  const t = useWords()
  const client = useQueryClient()
  const picked = usePhotos({ max: MAX_PHOTOS, maxBytes: MAX_PHOTO_BYTES, accept: PHOTO_ACCEPT })
  const { form, sending, submit, field } = useCallForm({
    schema: () => import('#contract/submissions.ts').then((contract) => contract.answerForm),
    start: { message: readTyped(submission.id) },
    send: ({ message = '' }) =>
      upload(routes.answer, {
        params: { id: submission.id },
        fields: { message },
        files: picked.photos.map(({ file }) => file),
      }),
    onDone: () => {
      toast({ title: t('processing.answer.sent'), description: t('processing.answer.sentText') })
      onClose()
      void refreshCards(client)
    },
    failed: toastUnlessAtField(t('chat.failed'), t('chat.failedText')),
  })
  const check = useCardNumberCheck({ send: () => void submit(), edit: () => form.focus('message') })
  // Sending the answer also changes the status.
  const ended = submission.status !== 'under_review' && !sending.isPending && !sending.isSuccess
  const blank = !form.values.message?.trim() && picked.photos.length === 0

  function noteChange() {
    check.forget()
    keepTyped(submission.id, form.getValues().message ?? '')
  }
  function submitOnce(event: FormEvent) {
    event.preventDefault()
    if (ended || sending.isPending || picked.preparing) return
    if (blank) form.showProblems([{ path: 'message', code: 'answer_required' satisfies FieldCode }])
    else check.sendChecked(form.getValues().message ?? '')
  }

  return (
    <Form onSubmit={submitOnce} onChange={noteChange}>
      {ended ? <Ended submission={submission} /> : <Question text={submission.statusReason} />}
      <TextArea
        label={t('processing.answer.label')}
        hint={t('processing.answer.hint')}
        {...field('message')}
        data-typed={readTyped(submission.id) !== '' || undefined}
      />
      {check.warning}
      <PhotoPicker
        label={t('processing.answer.photos')}
        slots={[]}
        picked={picked}
        disabled={sending.isPending}
      />
      {ended ? (
        <Button
          variant="secondary"
          className="sm:justify-self-end"
          onClick={() => void copyText(form.getValues().message ?? '', t('processing.answer.copied'))}
        >
          {t('processing.answer.copy')}
        </Button>
      ) : (
        <Button type="submit" loading={sending.isPending || picked.preparing} className="sm:justify-self-end">
          {t(sending.isPending ? 'processing.answer.sending' : 'processing.answer.send')}
        </Button>
      )}
    </Form>
  )
}

interface AnswerFormProps {
  submission: SellerSubmission
  onClose: () => void
}

function Question({ text }: { text: string | null }) {
  return (
    text && (
      <Notice tone="caution">
        <p className="wrap-anywhere whitespace-pre-line">{text}</p>
      </Notice>
    )
  )
}

const endings: Readonly<Partial<Record<string, Key>>> = {
  offered: 'processing.ended.offered',
  rejected: 'processing.ended.rejected',
  cancelled: 'processing.ended.cancelled',
}

/** The submission no longer accepts an answer, so what was typed can only be copied. */
function Ended({ submission: { status, statusReason } }: { submission: SellerSubmission }) {
  const t = useWords()
  const over = isFinal(status)
  return (
    <Notice tone={over ? 'negative' : 'info'} title={t(endings[status] ?? 'processing.ended.resumed')} urgent>
      {statusReason && <p className="wrap-anywhere whitespace-pre-line">{statusReason}</p>}
      <p>{t(over ? 'processing.ended.text' : 'processing.ended.resumedText')}</p>
    </Notice>
  )
}
