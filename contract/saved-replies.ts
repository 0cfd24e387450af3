import { z } from 'zod'
import { MAX_MESSAGE_LENGTH } from '#domain/chat.ts'
import { route } from './route.ts'
import { done, id, instant, optionalText, text, withId } from './values.ts'

/** A reply that staff send often. */
export const savedReply = z.object({
  id,
  title: z.string(),
  text: z.string(),
  spanishText: z.string().nullable().describe('For customers who read Spanish'),
  createdAt: instant,
})
export type SavedReply = z.input<typeof savedReply>

export const savedReplyForm = z.object({
  title: text({ max: 100, required: 'title_required' }),
  text: text({ max: MAX_MESSAGE_LENGTH, required: 'text_required' }),
  spanishText: optionalText(MAX_MESSAGE_LENGTH),
})
export type SavedReplyForm = z.output<typeof savedReplyForm>

export const savedReplyRoutes = {
  savedReplies: route({
    method: 'GET',
    path: '/api/admin/saved-replies',
    summary: 'The saved replies, which all staff share, by title',
    access: 'chat',
    limit: 'read',
    answers: { 200: z.array(savedReply) },
  }),
  saveReply: route({
    method: 'POST',
    path: '/api/admin/saved-replies',
    summary: 'Save a reply for all staff',
    access: 'chat',
    limit: 'write',
    body: savedReplyForm,
    answers: { 201: savedReply },
  }),
  changeSavedReply: route({
    method: 'PUT',
    path: '/api/admin/saved-replies/:id',
    summary: 'Change a saved reply for all staff',
    access: 'chat',
    limit: 'write',
    params: withId,
    body: savedReplyForm,
    answers: { 200: savedReply },
  }),
  deleteSavedReply: route({
    method: 'DELETE',
    path: '/api/admin/saved-replies/:id',
    summary: 'Delete a saved reply',
    access: 'chat',
    limit: 'write',
    params: withId,
    answers: { 200: done },
  }),
}
