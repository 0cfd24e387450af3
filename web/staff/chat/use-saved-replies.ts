import { useMutation, useQueryClient } from '@tanstack/react-query'
import { routes } from '#contract/routes.ts'
import type { SavedReply, SavedReplyForm } from '#contract/saved-replies.ts'
import { type ToastMessage, toast } from '#web/kit/toast.ts'
import { call } from '#web/wire/call.ts'
import { ApiError, messageOf } from '#web/wire/errors.ts'
import { refresh } from '#web/wire/read.ts'

/** Saves a new reply, or the one given under what it now says. */
export function saveReply(reply: SavedReply | undefined, body: SavedReplyForm): Promise<SavedReply> {
  if (!reply) return call(routes.saveReply, { body })
  return call(routes.changeSavedReply, { params: { id: reply.id }, body })
}

export function useDeleteReply(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call(routes.deleteSavedReply, { params: { id } }),
    onError: (error) => {
      // Somebody else was faster: it is gone, as was wanted.
      if (!(error instanceof ApiError && error.status === 404))
        toast({ ...failure(error, 'Failed to delete the reply'), variant: 'destructive' })
    },
    onSettled: () => refresh(client, routes.savedReplies),
  })
}

export function failure(error: unknown, otherwise: string): ToastMessage {
  return { title: 'Error', description: messageOf(error, otherwise) }
}
