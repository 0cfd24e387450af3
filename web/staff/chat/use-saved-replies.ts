import { useMutation, useQueryClient } from '@tanstack/react-query'
import { routes } from '#contract/routes.ts'
import type { SavedReply, SavedReplyForm } from '#contract/saved-replies.ts'
import { call } from '../../api/call.ts'
import { ApiError, messageOf } from '../../api/errors.ts'
import { refresh } from '../../api/read.ts'
import { toast } from '../../ui/toast.ts'
import { noticeSignedOut } from '../session.ts'

/** Saves a new reply, or the one given under what it now says. */
export function useSaveReply(reply: SavedReply | undefined, onSaved: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: SavedReplyForm) =>
      reply
        ? call(routes.changeSavedReply, { params: { id: reply.id }, body })
        : call(routes.saveReply, { body }),
    onSuccess: async () => {
      await refresh(client, routes.savedReplies)
      onSaved()
    },
    onError: (error) => {
      noticeSignedOut(client, error)
      failed(error, 'Failed to save the reply')
    },
  })
}

export function useDeleteReply(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call(routes.deleteSavedReply, { params: { id } }),
    onError: (error) => {
      noticeSignedOut(client, error)
      // Somebody else was faster: it is gone, as was wanted.
      if (!(error instanceof ApiError && error.status === 404)) failed(error, 'Failed to delete the reply')
    },
    onSettled: () => refresh(client, routes.savedReplies),
  })
}

function failed(error: unknown, otherwise: string): void {
  toast({ title: 'Error', description: messageOf(error, otherwise), variant: 'destructive' })
}
