import { administratorRoutes } from '#contract/administrators.ts'
import { apiTokenRoutes } from '#contract/api-tokens.ts'
import { staffRoutes } from '#contract/staff.ts'
import { staffAccountRoutes } from '#contract/staff-accounts.ts'
import type { Context } from '#server/context.ts'
import { byId, finishPage } from '#server/http/paging.ts'
import { clientOf, type Serve } from '#server/http/serve.ts'
import { refuseIfOn } from '../credentials/second-factor.ts'
import type { SignInTools } from '../sessions/sessions.ts'
import { changeStaff, listStaff } from './accounts.ts'
import * as tokens from './api-tokens.ts'
import * as invitations from './invitations.ts'
import { serveOidc } from './oidc.ts'
import type { OidcSettings } from './oidc-provider.ts'
import * as signIn from './sign-in.ts'
import { listUsers } from './users.ts'

export function serveStaff(
  serve: Serve,
  context: Context,
  { oidc, ...tools }: SignInTools & { readonly oidc: OidcSettings | undefined },
): void {
  serveSignIn(serve, context, tools)
  serveOidc(serve, context, tools, oidc)
  serveAccounts(serve, context)
  serveInvitations(serve, context, tools)
  serveApiTokens(serve, context)
  serve(staffRoutes.staffUsers, async ({ actor, query, request, reply }) => {
    const found = await listUsers(context, actor, query)
    return finishPage(request, reply, { ...found, limit: query.limit }, byId)
  })
}

function serveSignIn(serve: Serve, context: Context, { sessions, browsers, limits }: SignInTools): void {
  serve(administratorRoutes.adminLogin, async ({ body, request, reply }) => {
    const guard = browsers.guard(request)
    const { administrator, details } = await signIn.checkCredentials(context, body, guard)
    const { id } = administrator
    await sessions.start('staff', id, request, reply, async (tx) => {
      await signIn.confirmPassword(tx, administrator)
      if (!details.factor) await refuseIfOn(tx, id)
      await signIn.recordSignIn(tx, administrator, details)
    })
    // Signing in with a code takes two calls but counts as one.
    if (body.code !== undefined)
      await limits.giveBack(administratorRoutes.adminLogin.limit, clientOf(request))
    return signIn.findOwnAdministrator(context, id)
  })

  serve(administratorRoutes.adminLinkLogin, async ({ body, request, reply }) => {
    const { administrator, details } = await signIn.checkLink(context, body)
    const { id } = administrator
    await sessions.start('staff', id, request, reply, async (tx) => {
      await signIn.useLink(tx, body.token)
      if (!details.factor) await refuseIfOn(tx, id)
      await signIn.recordSignIn(tx, administrator, details)
    })
    return signIn.findOwnAdministrator(context, id)
  })

  serve(administratorRoutes.adminLogout, async ({ request, reply }) => {
    await sessions.end('staff', request, reply)
    return { message: request.words('done.signed_out') }
  })

  serve(administratorRoutes.adminMe, async ({ actor: { id, needsSecondFactor } }) => ({
    ...(await signIn.findOwnAdministrator(context, id)),
    needsSecondFactor,
  }))

  serve(administratorRoutes.unsetContacts, async () => [...(context.site.unsetContacts ?? [])])
}

function serveAccounts(serve: Serve, context: Context): void {
  serve(staffAccountRoutes.staffAccounts, () => listStaff(context))

  serve(staffAccountRoutes.changeStaff, ({ actor, params, body }) =>
    changeStaff(context, actor, params.id, body),
  )
}

function serveInvitations(serve: Serve, context: Context, { sessions }: SignInTools): void {
  serve(staffAccountRoutes.inviteStaff, ({ actor, body }) => invitations.inviteStaff(context, actor, body))

  serve(staffAccountRoutes.revokeInvitation, async ({ actor, params, request }) => {
    await invitations.revokeInvitation(context, actor, params.id)
    return { message: request.words('done.invitation_revoked') }
  })

  serve(staffAccountRoutes.readInvitation, ({ body }) => invitations.readInvitation(context, body.token))

  serve(staffAccountRoutes.acceptInvitation, async ({ body, request, reply }) => {
    const administrator = await invitations.acceptInvitation(context, body)
    const { id } = administrator
    await sessions.start('staff', id, request, reply, (tx) =>
      signIn.recordSignIn(tx, administrator, { with: 'an invitation' }),
    )
    return signIn.findOwnAdministrator(context, id)
  })
}

function serveApiTokens(serve: Serve, context: Context): void {
  serve(apiTokenRoutes.apiTokens, () => tokens.listApiTokens(context))

  serve(apiTokenRoutes.createApiToken, ({ actor, body }) => tokens.createApiToken(context, actor, body))

  serve(apiTokenRoutes.revokeApiToken, async ({ actor, params, request }) => {
    await tokens.revokeApiToken(context, actor, params.id)
    return { message: request.words('done.token_revoked') }
  })
}
