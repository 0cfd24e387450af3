import { z } from 'zod'
import { PASSWORD_LENGTH } from '#domain/password.ts'
import type { FieldCode } from '#words/keys.ts'
import { locales } from '#words/locales.ts'
import { route } from './route.ts'
import { decimal, done, email, id, instant, line, optionalText, text } from './values.ts'

/** The signed-in seller, as their own calls show them. */
export const user = z.object({
  id,
  username: z.string(),
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  phoneNumber: z.string().nullable(),
  role: z.string(),
  locale: z.enum(locales).describe('The language of answers and emails'),
  verified: z.boolean().describe('Whether the email address is confirmed'),
  mustConfirmEmail: z.boolean().describe('Payouts wait until the email address is confirmed'),
  rating: decimal.describe('The mean of the reviews, from "0.00" (no reviews) to "5.00"'),
  reviewCount: z.number().int(),
  tradeCount: z.number().int().describe('Completed submissions'),
  lastVisit: instant.nullable(),
  createdAt: instant,
  showsAdminDashboard: z
    .boolean()
    .describe('Whether the top bar shows the Admin Dashboard shortcut; it grants no access'),
})
export type User = z.input<typeof user>
export type UserAnswer = z.output<typeof user>

export const newPassword = z
  .string({ error: 'new_password_required' satisfies FieldCode })
  .min(1, 'new_password_required' satisfies FieldCode)
  .min(PASSWORD_LENGTH.min, 'password_too_short' satisfies FieldCode)
  .max(PASSWORD_LENGTH.max, 'password_too_long' satisfies FieldCode)
  .refine((password) => password.isWellFormed(), 'password_not_storable' satisfies FieldCode)

export const givenPassword = z
  .string({ error: 'password_required' satisfies FieldCode })
  .min(1, 'password_required' satisfies FieldCode)
  .max(1024, 'password_much_too_long' satisfies FieldCode)

export const username = text({ max: 30, required: 'username_required' }).refine(
  (name) => /^[\p{L}\p{N}._-]*$/u.test(name),
  'username_characters' satisfies FieldCode,
)

export const registration = z.object({
  username,
  email: email('email_invalid'),
  password: newPassword,
  firstName: line({ max: 100, required: 'first_name_required' }),
  lastName: line({ max: 100, required: 'last_name_required' }),
  phoneNumber: optionalText(30),
})

export const signIn = z.object({
  email: email('email_invalid'),
  password: givenPassword,
  code: optionalText(40).describe(
    'From the authenticator app, or a recovery code. Required if the answer without it was `totp_required`',
  ),
})

/** Asks for a link that sets a new password. */
export const passwordLinkRequest = signIn.pick({ email: true })

export const chosenPassword = z.object({ password: newPassword })

export const signedIn = z.object({ user })

export const profile = z.object({
  firstName: line({ max: 100, required: 'first_name_required' }),
  lastName: line({ max: 100, required: 'last_name_required' }),
  email: email('email_address_invalid'),
})

export const localeChange = z.object({
  locale: z.enum(locales, { error: 'locale_unknown' satisfies FieldCode }),
})

export const passwordChange = z.object({ currentPassword: givenPassword, newPassword })

/** The secret part of a link. A made-up token is refused like a used one. */
export const linkToken = z
  .string({ error: 'link_incomplete' satisfies FieldCode })
  .min(1, 'link_incomplete' satisfies FieldCode)
  .max(200)

/**
 * A cookie that scripts can read, sent and cleared with a seller's session. Without it a page need not ask who is signed in. Its value is
 * the language of the account, so that the first page a browser opens is in it. `1`: not known yet.
 */
export const SIGNED_IN_COOKIE = 'unspent_signed_in'

/** Staff screens send this header while no one is using them. Such calls do not extend the session. */
export const UNATTENDED_HEADER = 'x-unattended'

/** One browser in which somebody is signed in. */
export const ownSession = z.object({
  id: z.string().describe('Identifies the session, but gives no access'),
  current: z.boolean().describe('The session of this call'),
  userAgent: z.string().nullable(),
  createdAt: instant,
  lastSeen: instant.describe('Up to an hour too early; for staff, up to `STAFF_IDLE_MINUTES`'),
  expire: instant.describe('It expires then, unless it is used first'),
})
export type OwnSession = z.input<typeof ownSession>
export type OwnSessionAnswer = z.output<typeof ownSession>

/** The same for sellers and staff. */
export const ownAccountCalls = {
  changePassword: {
    method: 'PUT',
    summary: 'Change the password. Signs out everywhere else',
    limit: 'account',
    body: passwordChange,
    answers: { 200: done },
  },
  sessions: {
    method: 'GET',
    summary: 'Where you are signed in, newest first',
    limit: 'read',
    answers: { 200: z.array(ownSession) },
  },
  endOtherSessions: {
    method: 'DELETE',
    summary: 'Sign out everywhere but here',
    limit: 'write',
    answers: { 200: done.extend({ endedCount: z.number().int() }) },
  },
} as const

export const accountRoutes = {
  me: route({
    method: 'GET',
    path: '/api/auth/me',
    summary: 'Who is signed in',
    access: 'seller',
    limit: 'read',
    answers: { 200: signedIn },
  }),
  login: route({
    method: 'POST',
    path: '/api/auth/login',
    summary: 'Sign in',
    access: 'anyone',
    limit: 'signIn',
    refuses: ['invalid_credentials', 'totp_required', 'totp_wrong', 'unreadable'],
    body: signIn,
    answers: { 200: signedIn },
  }),
  register: route({
    method: 'POST',
    path: '/api/auth/register',
    summary: 'Create an account and sign in. Sends an email with a link that confirms the address',
    access: 'anyone',
    limit: 'register',
    refuses: ['taken'],
    body: registration,
    answers: { 201: signedIn },
  }),
  logout: route({
    method: 'POST',
    path: '/api/auth/logout',
    summary: 'Sign out. Succeeds if already signed out',
    access: 'anyone',
    limit: 'write',
    answers: { 200: done },
  }),
  updateProfile: route({
    method: 'PUT',
    path: '/api/user/profile',
    summary:
      'Change name and email. The new address gets a link to confirm it, the old one a link to undo the change',
    access: 'seller',
    limit: 'account',
    refuses: ['taken'],
    body: profile,
    answers: { 200: signedIn },
  }),
  changeLocale: route({
    method: 'PUT',
    path: '/api/user/locale',
    summary: 'Choose the language of answers and emails',
    access: 'seller',
    limit: 'write',
    body: localeChange,
    answers: { 200: signedIn },
  }),
  changePassword: route({ ...ownAccountCalls.changePassword, path: '/api/user/password', access: 'seller' }),
  forgotPassword: route({
    method: 'POST',
    path: '/api/auth/forgot-password',
    summary: 'Email a link that sets a new password. The answer is the same for unknown addresses',
    access: 'anyone',
    limit: 'forgotPassword',
    body: passwordLinkRequest,
    answers: { 200: done },
  }),
  resetPassword: route({
    method: 'POST',
    path: '/api/auth/reset-password',
    summary:
      'Set a new password with the token of an emailed link. Signs out everywhere, confirms the email address, and removes the payment methods of an account whose address was not confirmed',
    access: 'anyone',
    limit: 'write',
    body: chosenPassword.extend({ token: linkToken }),
    answers: { 200: done },
  }),
  confirmEmail: route({
    method: 'POST',
    path: '/api/auth/confirm-email',
    summary: 'Confirm your email address with the token of an emailed link',
    access: 'seller',
    limit: 'write',
    body: z.object({ token: linkToken }),
    answers: { 200: done },
  }),
  sendConfirmation: route({
    method: 'POST',
    path: '/api/user/confirm-email',
    summary: 'Send the link that confirms the email address again',
    access: 'seller',
    limit: 'confirmEmail',
    answers: { 200: done },
  }),
  restoreEmail: route({
    method: 'POST',
    path: '/api/auth/restore-email',
    summary:
      'Undo a change of the email address with the token of an emailed link. Signs out everywhere and emails a link to set a new password',
    access: 'anyone',
    limit: 'write',
    refuses: ['taken'],
    body: z.object({ token: linkToken }),
    answers: { 200: done },
  }),
  mySessions: route({ ...ownAccountCalls.sessions, path: '/api/user/sessions', access: 'seller' }),
  endOtherSessions: route({
    ...ownAccountCalls.endOtherSessions,
    path: '/api/user/sessions',
    access: 'seller',
  }),
}
