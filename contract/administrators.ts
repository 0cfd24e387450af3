import { z } from 'zod'
import { roles } from '#domain/roles.ts'
import type { FieldCode } from '#words/keys.ts'
import { givenPassword, linkToken, ownAccountCalls } from './accounts.ts'
import { route } from './route.ts'
import { decimal, done, id, optionalText, text } from './values.ts'

export const adminSignIn = z.object({
  username: text({ max: 255, required: 'username_required' }),
  password: givenPassword,
  code: optionalText(40).describe(
    'From the authenticator app, or a recovery code. Required if the answer without it was `totp_required`',
  ),
})

export const adminLinkSignIn = adminSignIn.pick({ code: true }).extend({ token: linkToken })

/** The signed-in administrator. */
export const administrator = z.object({
  id,
  username: z.string(),
  role: z.enum(roles),
  needsSecondFactor: z
    .boolean()
    .describe('Everything but setting up a second factor is refused (`totp_setup_required`)'),
  manualPayouts: z.boolean().describe('May record a payout as paid by hand'),
  timeZone: z.string().describe('The shop’s time zone, used for reports and dates'),
})
const ratedAdministrator = administrator.extend({
  rating: decimal.describe('The mean of the reviews, from "0.00" (no reviews) to "5.00"'),
  reviewCount: z.number().int(),
})
export type Administrator = z.infer<typeof administrator>

const unavailable = 'assignee_unavailable' satisfies FieldCode
/** A colleague who gets work. Their role must allow it. */
export const assignee = z.uuid(unavailable)

/** An administrator who may get work. */
export const colleague = administrator.pick({ id: true, username: true, role: true })
export type Colleague = z.infer<typeof colleague>

export const administratorRoutes = {
  adminMe: route({
    method: 'GET',
    path: '/api/admin/me',
    summary: 'Which administrator is signed in, and how sellers rated them',
    access: 'use_account',
    withoutSecondFactor: true,
    limit: 'read',
    answers: { 200: ratedAdministrator },
  }),
  unsetContacts: route({
    method: 'GET',
    path: '/api/admin/unset-contacts',
    summary: 'Contact settings that the operator has not set yet',
    access: 'use_account',
    limit: 'read',
    answers: { 200: z.array(z.string()) },
  }),
  adminLogin: route({
    method: 'POST',
    path: '/api/admin/login',
    summary: 'Sign in as an administrator',
    access: 'anyone',
    limit: 'adminSignIn',
    refuses: ['invalid_credentials', 'totp_required', 'totp_wrong', 'passkey_required', 'unreadable'],
    body: adminSignIn,
    answers: { 200: administrator },
  }),
  adminLinkLogin: route({
    method: 'POST',
    path: '/api/admin/login/link',
    summary: 'Sign in as an administrator with a one-time link that the operator has printed',
    access: 'anyone',
    limit: 'account',
    refuses: ['totp_required', 'totp_wrong', 'passkey_required', 'unreadable'],
    body: adminLinkSignIn,
    answers: { 200: administrator },
  }),
  adminLogout: route({
    method: 'POST',
    path: '/api/admin/logout',
    summary: 'Sign the administrator out. Succeeds if already signed out',
    access: 'anyone',
    limit: 'write',
    answers: { 200: done },
  }),
  changeAdminPassword: route({
    ...ownAccountCalls.changePassword,
    path: '/api/admin/password',
    access: 'use_account',
  }),
  adminSessions: route({ ...ownAccountCalls.sessions, path: '/api/admin/sessions', access: 'use_account' }),
  endOtherAdminSessions: route({
    ...ownAccountCalls.endOtherSessions,
    path: '/api/admin/sessions',
    access: 'use_account',
  }),
}
