import { z } from 'zod'
import type { FieldCode } from '#words/keys.ts'
import { route } from './route.ts'
import { done } from './values.ts'

/** Bytes in base64url, without padding. */
const bytes = (characters: number) =>
  z
    .string({ error: 'push_subscription_invalid' satisfies FieldCode })
    .regex(new RegExp(`^[\\w-]{${characters}}$`), 'push_subscription_invalid' satisfies FieldCode)

/** A `PushSubscription` of a browser, as its `toJSON()` gives it: https://www.w3.org/TR/push-api/ */
export const pushSubscription = z.object({
  endpoint: z
    .url({ error: 'push_subscription_invalid' satisfies FieldCode })
    .max(1000, 'push_subscription_invalid' satisfies FieldCode),
  keys: z.object(
    { p256dh: bytes(87), auth: bytes(22) },
    { error: 'push_subscription_invalid' satisfies FieldCode },
  ),
})

export const pushRoutes = {
  pushState: route({
    method: 'GET',
    path: '/api/user/push-subscriptions',
    summary: 'Whether this browser gets pushes, and the key that a browser subscribes with',
    access: 'seller',
    limit: 'read',
    answers: {
      200: z.object({
        publicKey: z.string().describe('The `applicationServerKey`, in base64url'),
        endpoint: z
          .string()
          .nullable()
          .describe('The address for pushes to this browser, if it has subscribed'),
      }),
    },
  }),
  subscribeToPushes: route({
    method: 'POST',
    path: '/api/user/push-subscriptions',
    summary:
      'Send pushes to this browser until it signs out. Replaces its earlier subscription. Ten browsers per seller; the oldest makes room',
    access: 'seller',
    limit: 'write',
    body: pushSubscription,
    answers: { 201: done },
  }),
  unsubscribeFromPushes: route({
    method: 'DELETE',
    path: '/api/user/push-subscriptions',
    summary: 'Send no more pushes to this browser. Succeeds if it has not subscribed',
    access: 'seller',
    limit: 'write',
    answers: { 200: done },
  }),
}
