import { z } from 'zod'
import { route } from './route.ts'
import { done, text } from './values.ts'

/** Six digits of an authenticator app, or one of the recovery codes. */
export const secondFactorCode = text({ max: 40, required: 'Code is required' })

const withCode = z.object({ code: secondFactorCode })

/** Whether the signed-in administrator is asked for a code, and how many recovery codes are unused. */
export const secondFactor = z.object({ enabled: z.boolean(), recoveryCodesLeft: z.number().int() })
export type SecondFactor = z.infer<typeof secondFactor>

export const secondFactorRoutes = {
  secondFactor: route({
    method: 'GET',
    path: '/api/admin/totp',
    summary: 'Whether a code is asked for at sign-in',
    access: 'staff',
    limit: 'read',
    answers: { 200: secondFactor },
  }),
  startSecondFactor: route({
    method: 'POST',
    path: '/api/admin/totp/start',
    summary:
      'A new secret for an authenticator app; it counts once it is confirmed. 409 `totp_on` if on already',
    access: 'staff',
    limit: 'write',
    refuses: ['totp_on'],
    answers: {
      200: z.object({
        secret: z.string().describe('Base32, to be typed where nothing can be scanned'),
        uri: z.string().describe('For a QR code: otpauth://totp/…'),
      }),
    },
  }),
  confirmSecondFactor: route({
    method: 'POST',
    path: '/api/admin/totp/confirm',
    summary:
      'Switch the second factor on by a code of the new secret; the recovery codes are shown only once',
    access: 'staff',
    limit: 'adminSignIn',
    refuses: ['totp_on', 'totp_off', 'unreadable'],
    body: withCode,
    answers: { 200: z.object({ recoveryCodes: z.array(z.string()) }) },
  }),
  stopSecondFactor: route({
    method: 'POST',
    path: '/api/admin/totp/stop',
    summary: 'Switch the second factor off',
    access: 'staff',
    limit: 'adminSignIn',
    refuses: ['totp_off', 'unreadable'],
    body: withCode,
    answers: { 200: done },
  }),
}
