import { z } from 'zod'
import { notificationKinds } from '#domain/notifications.ts'
import type { FieldCode } from '#words/keys.ts'
import { route } from './route.ts'

const on = z.boolean({ error: 'notification_invalid' satisfies FieldCode })
const setting = z.object({ mail: on, push: on })

/** Which notifications the seller gets, by channel. Receipts are always mailed, so they are not listed. */
export const notificationSettings = z.object({
  question: setting.describe('We need something from the seller'),
  offer: setting.describe('We offer another price, or an offer has ended'),
  decision: setting.describe('A card was approved or rejected'),
  payout: setting.describe(
    'A payout was sent. Mails that one arrived, failed or came back are sent in any case',
  ),
  reply: setting.describe('Support has answered in the chat'),
})
export type NotificationSettings = z.output<typeof notificationSettings>

const changed = setting.partial().optional()

export const notificationRoutes = {
  notifications: route({
    method: 'GET',
    path: '/api/user/notifications',
    summary: 'Which notifications the seller gets by mail and by push',
    access: 'seller',
    limit: 'read',
    answers: { 200: notificationSettings },
  }),
  changeNotifications: route({
    method: 'PUT',
    path: '/api/user/notifications',
    summary: 'Turn notifications on and off. Omitted settings do not change',
    access: 'seller',
    limit: 'write',
    body: z.object({
      question: changed,
      offer: changed,
      decision: changed,
      payout: changed,
      reply: changed,
    }),
    answers: { 200: notificationSettings },
  }),
  /** The address of its screen, in each language: mail programs open the same link that they send this call to (RFC 8058). */
  unsubscribe: route({
    method: 'POST',
    path: '/unsubscribe',
    summary: 'Turn off one kind of mail with the link in such a mail. The body is ignored',
    access: 'anyone',
    limit: 'write',
    query: z.object({ token: z.string({ error: 'unsubscribe_link_broken' satisfies FieldCode }).max(200) }),
    answers: { 200: z.object({ kind: z.enum(notificationKinds) }) },
  }),
}
