import { z } from 'zod'
import { route } from './route.ts'
import { done, text } from './values.ts'

/** Six digits from an authenticator app, or a recovery code. */
export const secondFactorCode = text({ max: 40, required: 'code_required' })

const withCode = z.object({ code: secondFactorCode })

/** The second factor of the signed-in administrator, and how many recovery codes are unused. */
export const secondFactor = z.object({ enabled: z.boolean(), recoveryCodesLeft: z.number().int() })
export type SecondFactor = z.infer<typeof secondFactor>

export const secondFactorRoutes = {
  secondFactor: route({
    method: 'GET',
    path: '/api/admin/totp',
    summary: 'Whether sign-in asks for a code',
    access: 'staff',
    withoutSecondFactor: true,
    limit: 'read',
    answers: { 200: secondFactor },
  }),
  startSecondFactor: route({
    method: 'POST',
    path: '/api/admin/totp/start',
    summary: 'Get a new secret for an authenticator app, to be confirmed. 409 totp_on if already on',
    access: 'staff',
    withoutSecondFactor: true,
    limit: 'write',
    refuses: ['totp_on'],
    answers: {
      200: z.object({
        secret: z.string().describe('Base32, for typing instead of scanning'),
        uri: z.string().describe('For a QR code: otpauth://totp/…'),
      }),
    },
  }),
  confirmSecondFactor: route({
    method: 'POST',
    path: '/api/admin/totp/confirm',
    summary:
      'Turn the second factor on with a code from the new secret. Returns the recovery codes, only this once',
    access: 'staff',
    withoutSecondFactor: true,
    limit: 'adminSignIn',
    refuses: ['totp_on', 'totp_off', 'unreadable'],
    body: withCode,
    answers: { 200: z.object({ recoveryCodes: z.array(z.string()) }) },
  }),
  stopSecondFactor: route({
    method: 'POST',
    path: '/api/admin/totp/stop',
    summary: 'Turn the second factor off. With REQUIRE_TOTP it has to be set up again before anything else',
    access: 'staff',
    limit: 'adminSignIn',
    refuses: ['totp_off', 'unreadable'],
    body: withCode,
    answers: { 200: done },
  }),
}
