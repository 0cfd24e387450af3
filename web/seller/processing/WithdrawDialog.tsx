import { useMutation, useQueryClient } from '@tanstack/react-query'
import { routes } from '#contract/routes.ts'
import type { SellerSubmission } from '#contract/submissions.ts'
import { cardName } from '#web/cards/text.ts'
import { Button } from '#web/kit/Button.tsx'
import { Dialog } from '#web/kit/Dialog.tsx'
import { toast } from '#web/kit/toast.ts'
import { call } from '#web/wire/call.ts'
import { messageOf } from '#web/wire/errors.ts'
import { refresh } from '#web/wire/read.ts'

interface SubmissionDialogProps {
  submission: SellerSubmission
  open: boolean
  onClose: () => void
}

export function WithdrawDialog({ submission, open, onClose }: SubmissionDialogProps) {
  const client = useQueryClient()
  const withdraw = useMutation({
    mutationFn: () => call(routes.withdraw, { params: { id: submission.id } }),
    onSuccess: () => {
      toast({
        title: 'Submission Withdrawn',
        description: `Your ${cardName(submission.brandName)} stays yours.`,
      })
      onClose()
    },
    onError: (error) =>
      toast({
        title: 'Withdrawal Failed',
        description: messageOf(error, 'Your submission could not be withdrawn. Please try again.'),
        variant: 'destructive',
      }),
    // Also when it was refused: the submission has moved on meanwhile.
    onSettled: () =>
      refresh(client, routes.mySubmissions, routes.myTransactions, routes.myEarnings, routes.myHistory),
  })
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title={`Withdraw your ${cardName(submission.brandName)}?`}
      description="We stop the review and you are not paid for this card. You can submit it again at any time."
      actions={
        <>
          <Button variant="secondary" onClick={onClose}>
            Keep it in review
          </Button>
          <Button variant="danger" loading={withdraw.isPending} onClick={() => withdraw.mutate()}>
            Withdraw
          </Button>
        </>
      }
    />
  )
}
