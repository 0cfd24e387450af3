import { z } from 'zod'
import { roles } from '#domain/roles.ts'
import type { FieldCode } from '#words/keys.ts'
import { linkToken, newPassword, username } from './accounts.ts'
import { administrator } from './administrators.ts'
import { route } from './route.ts'
import { done, email, id, instant, withId } from './values.ts'

const role = z.enum(roles, { error: 'role_unknown' satisfies FieldCode })

/** An administrator, or somebody who was invited to become one. */
export const staffAccount = z.object({
  id,
  username: z.string().nullable().describe('Null until the invitation is accepted'),
  email: z.string().nullable().describe('Where the invitation went. Null for those the operator created'),
  role: z.enum(roles),
  disabled: z.boolean(),
  secondFactor: z.boolean().describe('Whether signing in needs a code'),
  lastSignIn: instant.nullable(),
  reveals: z.number().int().describe('How often they revealed numbers or accounts'),
  decisions: z.number().int().describe('Their decisions on submissions, except undone ones'),
  invitedUntil: instant.nullable().describe('When the link expires. Null once it is accepted'),
  createdAt: instant,
})
export type StaffAccount = z.input<typeof staffAccount>
export type StaffAccountAnswer = z.output<typeof staffAccount>

/** How long the link of an invitation works. */
export const INVITATION_HOURS = 48

export const staffInvitation = z.object({ email: email('email_invalid'), role })

export const staffChange = z.object({
  role: role.optional(),
  disabled: z.boolean({ error: 'disabled_invalid' satisfies FieldCode }).optional(),
  secondFactor: z
    .literal(false, { error: 'second_factor_invalid' satisfies FieldCode })
    .optional()
    .describe('Turns off the second factor of another administrator'),
})
export type StaffChange = z.output<typeof staffChange>

export const acceptance = z.object({ token: linkToken, username, password: newPassword })

export const staffAccountRoutes = {
  staffAccounts: route({
    method: 'GET',
    path: '/api/admin/staff',
    summary: 'Administrators by username, then invitations by email address',
    access: 'manage_staff',
    limit: 'read',
    answers: { 200: z.array(staffAccount) },
  }),
  inviteStaff: route({
    method: 'POST',
    path: '/api/admin/staff',
    summary:
      'Email a link that creates an account with this role. It replaces an earlier link to the address',
    access: 'manage_staff',
    limit: 'write',
    refuses: ['taken'],
    body: staffInvitation,
    answers: { 201: staffAccount },
  }),
  changeStaff: route({
    method: 'PATCH',
    path: '/api/admin/staff/:id',
    summary:
      'Change the role, disable or enable, or turn the second factor off. Ends the sessions of that person',
    access: 'manage_staff',
    limit: 'write',
    refuses: ['last_owner', 'second_person_needed'],
    params: withId,
    body: staffChange,
    answers: { 200: staffAccount },
  }),
  revokeInvitation: route({
    method: 'DELETE',
    path: '/api/admin/staff/:id',
    summary: 'Revoke an invitation that has not been accepted',
    access: 'manage_staff',
    limit: 'write',
    params: withId,
    answers: { 200: done },
  }),
  readInvitation: route({
    method: 'POST',
    path: '/api/admin/invitation',
    summary: 'The email address, role and expiry of an invitation',
    access: 'anyone',
    limit: 'read',
    body: acceptance.pick({ token: true }),
    answers: { 200: z.object({ email: z.string(), role: z.enum(roles), expiresAt: instant }) },
  }),
  acceptInvitation: route({
    method: 'POST',
    path: '/api/admin/invitation/accept',
    summary: 'Accept an invitation: create the account and sign in',
    access: 'anyone',
    limit: 'account',
    refuses: ['taken'],
    body: acceptance,
    answers: { 201: administrator },
  }),
}
