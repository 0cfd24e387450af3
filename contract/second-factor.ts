import { z } from 'zod'
import { givenPassword } from './accounts.ts'
import { route } from './route.ts'
import { done, text } from './values.ts'

/** Six digits from an authenticator app, or a recovery code. */
export const secondFactorCode = text({ max: 40, required: 'code_required' })

const withCode = z.object({ code: secondFactorCode })

/** What sellers prove before they change a second factor that is on. */
export const passwordAndCode = z.object({ password: givenPassword, code: secondFactorCode })

/** What people prove before they set one up. */
export const passwordOnly = passwordAndCode.pick({ password: true })

/** The second factor of the signed-in person, and how many recovery codes are unused. */
export const secondFactor = z.object({ enabled: z.boolean(), recoveryCodesLeft: z.number().int() })
export type SecondFactor = z.infer<typeof secondFactor>

const newSecret = z.object({
  secret: z.string().describe('Base32, for typing instead of scanning'),
  uri: z.string().describe('For a QR code: otpauth://totp/…'),
})
const newRecoveryCodes = z.object({ recoveryCodes: z.array(z.string()) })

export const secondFactorRoutes = {
  secondFactor: route({
    method: 'GET',
    path: '/api/admin/totp',
    summary: 'Whether sign-in asks for a code',
    access: 'use_account',
    withoutSecondFactor: true,
    limit: 'read',
    answers: { 200: secondFactor },
  }),
  startSecondFactor: route({
    method: 'POST',
    path: '/api/admin/totp/start',
    summary:
      'Get a new secret for an authenticator app, to be confirmed. Needs your password. 409 totp_on if already on',
    access: 'use_account',
    withoutSecondFactor: true,
    limit: 'account',
    refuses: ['totp_on'],
    body: passwordOnly,
    answers: { 200: newSecret },
  }),
  confirmSecondFactor: route({
    method: 'POST',
    path: '/api/admin/totp/confirm',
    summary:
      'Turn the second factor on with a code from the new secret. Ends your other sessions. Returns the recovery codes, only this once',
    access: 'use_account',
    withoutSecondFactor: true,
    limit: 'adminSignIn',
    refuses: ['totp_on', 'totp_off', 'unreadable'],
    body: withCode,
    answers: { 200: newRecoveryCodes },
  }),
  stopSecondFactor: route({
    method: 'POST',
    path: '/api/admin/totp/stop',
    summary: 'Turn the second factor off. With REQUIRE_TOTP it has to be set up again before anything else',
    access: 'use_account',
    limit: 'adminSignIn',
    refuses: ['totp_off', 'unreadable'],
    body: withCode,
    answers: { 200: done },
  }),

  sellerSecondFactor: route({
    method: 'GET',
    path: '/api/user/second-factor',
    summary: 'Whether sign-in with your password asks for a code',
    access: 'seller',
    limit: 'read',
    answers: { 200: secondFactor },
  }),
  startSellerSecondFactor: route({
    method: 'POST',
    path: '/api/user/second-factor',
    summary:
      'Get a new secret for an authenticator app, to be confirmed. Needs your password and a confirmed email address',
    access: 'seller',
    limit: 'account',
    refuses: ['email_unconfirmed', 'totp_on'],
    body: passwordOnly,
    answers: { 200: newSecret },
  }),
  confirmSellerSecondFactor: route({
    method: 'POST',
    path: '/api/user/second-factor/confirm',
    summary:
      'Turn the second factor on with a code from the new secret. Ends your other sessions. Returns the recovery codes, only this once. Sends a security email',
    access: 'seller',
    limit: 'account',
    refuses: ['totp_on', 'totp_off', 'unreadable'],
    body: withCode,
    answers: { 200: newRecoveryCodes },
  }),
  renewRecoveryCodes: route({
    method: 'POST',
    path: '/api/user/second-factor/recovery-codes',
    summary:
      'Replace all recovery codes. Needs your password and a code. Returns the new ones, only this once. Sends a security email',
    access: 'seller',
    limit: 'account',
    refuses: ['totp_off', 'unreadable'],
    body: passwordAndCode,
    answers: { 200: newRecoveryCodes },
  }),
  stopSellerSecondFactor: route({
    method: 'DELETE',
    path: '/api/user/second-factor',
    summary: 'Turn the second factor off. Needs your password and a code. Sends a security email',
    access: 'seller',
    limit: 'account',
    refuses: ['totp_off', 'unreadable'],
    body: passwordAndCode,
    answers: { 200: done },
  }),
}
