import { z } from 'zod'
import { roles } from '#domain/roles.ts'
import type { FieldCode } from '#words/keys.ts'
import { route } from './route.ts'
import { done, id, instant, line, withId } from './values.ts'

/** A token for a program, without its secret. */
export const apiToken = z.object({
  id,
  name: z.string(),
  role: z.enum(roles),
  createdBy: z
    .string()
    .describe('The owner who created it. It acts for them, and is revoked with their rights'),
  createdAt: instant,
  expiresAt: instant,
  lastUsedAt: instant.nullable().describe('To the minute'),
})
export type ApiToken = z.input<typeof apiToken>
export type ApiTokenAnswer = z.output<typeof apiToken>

const MAX_DAYS = 365
const daysError = { error: 'token_days' satisfies FieldCode, params: { maximum: MAX_DAYS } }

export const apiTokenForm = z.object({
  name: line({ max: 60, required: 'name_required' }).describe('Unique. The audit log names it'),
  role: z.enum(roles, { error: 'role_unknown' satisfies FieldCode }),
  days: z
    .int(daysError)
    .refine((days) => days >= 1 && days <= MAX_DAYS, daysError)
    .describe('How long it works'),
})

export const apiTokenRoutes = {
  apiTokens: route({
    method: 'GET',
    path: '/api/admin/tokens',
    summary: 'The tokens of programs, by name, expired ones included',
    access: 'manage_connections',
    limit: 'read',
    answers: { 200: z.array(apiToken) },
  }),
  createApiToken: route({
    method: 'POST',
    path: '/api/admin/tokens',
    summary: 'Create a token for a program. Only this answer has its secret',
    access: 'manage_connections',
    limit: 'write',
    refuses: ['taken'],
    body: apiTokenForm,
    answers: { 201: apiToken.extend({ token: z.string().describe('Sent as `Authorization: Bearer …`') }) },
  }),
  revokeApiToken: route({
    method: 'DELETE',
    path: '/api/admin/tokens/:id',
    summary: 'Revoke a token. Its next call is refused',
    access: 'manage_connections',
    limit: 'write',
    params: withId,
    answers: { 200: done },
  }),
}
