import { z } from 'zod'
import { givenPassword } from './accounts.ts'
import { route } from './route.ts'
import { done, text } from './values.ts'

/** Six digits from an authenticator app, or a recovery code. */
export const secondFactorCode = text({ max: 40, required: 'code_required' })

/** What staff prove before they turn one off: their sessions are short. */
export const withCode = z.object({ code: secondFactorCode })

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

const state = { method: 'GET', limit: 'read', answers: { 200: secondFactor } } as const
const start = {
  method: 'POST',
  limit: 'account',
  body: passwordOnly,
  answers: { 200: newSecret },
} as const
const confirm = {
  method: 'POST',
  refuses: ['totp_on', 'totp_off', 'unreadable'],
  body: withCode,
  answers: { 200: newRecoveryCodes },
} as const
const renew = {
  method: 'POST',
  refuses: ['totp_off', 'unreadable'],
  body: passwordAndCode,
  answers: { 200: newRecoveryCodes },
} as const
const stop = { refuses: ['totp_off', 'unreadable'], answers: { 200: done } } as const

export const secondFactorRoutes = {
  secondFactor: route({
    ...state,
    access: 'use_account',
    path: '/api/admin/totp',
    summary: 'Whether sign-in asks for a code',
    withoutSecondFactor: true,
  }),
  startSecondFactor: route({
    ...start,
    access: 'use_account',
    path: '/api/admin/totp/start',
    summary:
      'Get a new secret for an authenticator app, to be confirmed. Needs your password. 409 totp_on if already on',
    withoutSecondFactor: true,
    refuses: ['totp_on'],
  }),
  confirmSecondFactor: route({
    ...confirm,
    access: 'use_account',
    path: '/api/admin/totp/confirm',
    summary:
      'Turn the second factor on with a code from the new secret. Ends your other sessions. Returns the recovery codes, only this once',
    withoutSecondFactor: true,
    limit: 'adminSignIn',
  }),
  renewAdminRecoveryCodes: route({
    ...renew,
    access: 'use_account',
    path: '/api/admin/totp/recovery-codes',
    summary:
      'Replace all recovery codes. Needs your password and a code. Returns the new ones, only this once',
    limit: 'adminSignIn',
  }),
  stopSecondFactor: route({
    ...stop,
    access: 'use_account',
    method: 'POST',
    path: '/api/admin/totp/stop',
    summary: 'Turn the second factor off. With REQUIRE_TOTP it has to be set up again before anything else',
    limit: 'adminSignIn',
    body: withCode,
  }),

  sellerSecondFactor: route({
    ...state,
    access: 'seller',
    path: '/api/user/second-factor',
    summary: 'Whether sign-in with your password asks for a code',
  }),
  startSellerSecondFactor: route({
    ...start,
    access: 'seller',
    path: '/api/user/second-factor',
    summary:
      'Get a new secret for an authenticator app, to be confirmed. Needs your password and a confirmed email address',
    refuses: ['email_unconfirmed', 'totp_on'],
  }),
  confirmSellerSecondFactor: route({
    ...confirm,
    access: 'seller',
    path: '/api/user/second-factor/confirm',
    summary:
      'Turn the second factor on with a code from the new secret. Ends your other sessions. Returns the recovery codes, only this once. Sends a security email',
    limit: 'account',
  }),
  renewRecoveryCodes: route({
    ...renew,
    access: 'seller',
    path: '/api/user/second-factor/recovery-codes',
    summary:
      'Replace all recovery codes. Needs your password and a code. Returns the new ones, only this once. Sends a security email',
    limit: 'account',
  }),
  stopSellerSecondFactor: route({
    ...stop,
    access: 'seller',
    method: 'DELETE',
    path: '/api/user/second-factor',
    summary: 'Turn the second factor off. Needs your password and a code. Sends a security email',
    limit: 'account',
    body: passwordAndCode,
  }),
}
