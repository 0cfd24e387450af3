import { z } from 'zod'
import { administrator } from './administrators.ts'
import { route } from './route.ts'
import { secondFactorCode } from './second-factor.ts'

/** How a sign-in through the provider ended without a session. The address of the sign-in screen names it. */
export const oidcOutcomes = [
  'code_needed',
  'passkey_needed',
  'cancelled',
  'expired',
  'failed',
  'unverified',
  'uninvited',
  'disabled',
  'other_identity',
] as const
export type OidcOutcome = (typeof oidcOutcomes)[number]

const redirect = z.null()

export const oidcRoutes = {
  oidcProvider: route({
    method: 'GET',
    path: '/api/admin/oidc',
    summary: 'The provider through which staff can sign in, if there is one',
    access: 'anyone',
    limit: 'read',
    answers: { 200: z.object({ name: z.string().nullable() }) },
  }),
  startOidc: route({
    method: 'GET',
    path: '/api/admin/oidc/start',
    summary: 'Go to the provider to sign in',
    access: 'anyone',
    limit: 'adminSignIn',
    refuses: ['not_found'],
    answers: { 302: redirect.describe('To the provider') },
  }),
  finishOidc: route({
    method: 'GET',
    path: '/api/admin/oidc/callback',
    summary: 'Where the provider sends the browser back to',
    access: 'anyone',
    limit: 'account',
    refuses: ['not_found'],
    answers: {
      302: redirect.describe('To the staff area, or to the sign-in screen with `oidc` and the outcome'),
    },
  }),
  oidcCode: route({
    method: 'POST',
    path: '/api/admin/oidc/code',
    summary: 'The second step after the outcome `code_needed`',
    access: 'anyone',
    limit: 'adminSignIn',
    refuses: ['not_found', 'invalid_credentials', 'totp_wrong', 'unreadable'],
    body: z.object({ code: secondFactorCode }),
    answers: { 200: administrator },
  }),
}
