import { accountRoutes } from '#contract/accounts.ts'
import { administratorRoutes } from '#contract/administrators.ts'
import { passkeyRoutes } from '#contract/passkeys.ts'
import { secondFactorRoutes } from '#contract/second-factor.ts'
import type { Context } from '#server/context.ts'
import { clientOf, type Serve } from '#server/http/serve.ts'
import { ownAccount } from '../sellers/account.ts'
import { endOtherSessions, listOwnSessions } from '../sessions/own-sessions.ts'
import type { SignInTools } from '../sessions/sessions.ts'
import { findOwnAdministrator, recordSignIn } from '../staff/sign-in.ts'
import { checkPasskey, confirmPasskey, signInOptions } from './passkey-sign-in.ts'
import { addPasskey, creationOptions, listPasskeys, removePasskey } from './passkeys.ts'
import { changePassword, requirePassword } from './password.ts'
import * as secondFactor from './second-factor.ts'

/** What sellers and staff do with their credentials. Each handler serves both of its routes. */
export function serveCredentials(serve: Serve, context: Context, tools: SignInTools): void {
  serveSecondFactor(serve, context, tools)
  serveSellerSignIn(serve, context, tools)
  serveStaffSignIn(serve, context, tools)
  serveOwnPasskeys(serve, context, tools)
  servePassword(serve, context, tools)
  serveOwnSessions(serve, context, tools)
}

function serveSecondFactor(serve: Serve, context: Context, { browsers }: SignInTools): void {
  const routes = secondFactorRoutes

  for (const route of [routes.secondFactor, routes.sellerSecondFactor])
    serve(route, ({ actor }) => secondFactor.readSecondFactor(context.db, actor.id))

  for (const route of [routes.startSecondFactor, routes.startSellerSecondFactor])
    serve(route, async ({ actor, body, request }) => {
      await requirePassword(context, browsers.guard(request), actor, body.password)
      return secondFactor.startSecondFactor(context, actor)
    })

  for (const route of [routes.confirmSecondFactor, routes.confirmSellerSecondFactor])
    serve(route, async ({ actor, body }) => ({
      recoveryCodes: await secondFactor.confirmSecondFactor(context, actor, body.code),
    }))

  for (const route of [routes.renewRecoveryCodes, routes.renewAdminRecoveryCodes])
    serve(route, async ({ actor, body, request }) => {
      await requirePassword(context, browsers.guard(request), actor, body.password)
      return { recoveryCodes: await secondFactor.renewRecoveryCodes(context, actor, body.code) }
    })

  serve(routes.stopSecondFactor, async ({ actor, body, request }) => {
    await secondFactor.stopSecondFactor(context, actor, body.code)
    return { message: request.words('done.totp_off') }
  })

  serve(routes.stopSellerSecondFactor, async ({ actor, body, request }) => {
    await requirePassword(context, browsers.guard(request), actor, body.password)
    await secondFactor.stopSecondFactor(context, actor, body.code)
    return { message: request.words('done.totp_off') }
  })
}

function serveSellerSignIn(serve: Serve, context: Context, { sessions, limits }: SignInTools): void {
  serve(passkeyRoutes.passkeyOptions, ({ reply }) => signInOptions(context, 'seller', reply))

  serve(passkeyRoutes.passkeySignIn, async ({ body, request, reply }) => {
    const used = await checkPasskey(context, 'seller', { body, request, reply })
    const { accountId } = used
    await sessions.start('seller', accountId, request, reply, async (tx) => {
      await confirmPasskey(tx, used)
    })
    // Signing in with a passkey takes two calls but counts as one.
    await limits.giveBack(passkeyRoutes.passkeySignIn.limit, clientOf(request))
    return { user: await ownAccount(context, accountId) }
  })
}

function serveStaffSignIn(serve: Serve, context: Context, { sessions, limits }: SignInTools): void {
  serve(passkeyRoutes.adminPasskeyOptions, ({ reply }) => signInOptions(context, 'staff', reply))

  serve(passkeyRoutes.adminPasskeySignIn, async ({ body, request, reply }) => {
    const used = await checkPasskey(context, 'staff', { body, request, reply })
    const { accountId: id, username } = used
    await sessions.start('staff', id, request, reply, async (tx) => {
      await confirmPasskey(tx, used)
      await recordSignIn(tx, { id, username }, { with: 'a passkey' })
    })
    await limits.giveBack(passkeyRoutes.adminPasskeySignIn.limit, clientOf(request))
    return findOwnAdministrator(context, id)
  })
}

function serveOwnPasskeys(serve: Serve, context: Context, { browsers }: SignInTools): void {
  for (const route of [passkeyRoutes.passkeys, passkeyRoutes.adminPasskeys])
    serve(route, ({ actor }) => listPasskeys(context.db, actor))

  for (const route of [passkeyRoutes.newPasskey, passkeyRoutes.newAdminPasskey])
    serve(route, ({ actor, body, request, reply }) =>
      creationOptions(context, actor, { ...body, guarded: browsers.guard(request), reply }),
    )

  for (const route of [passkeyRoutes.addPasskey, passkeyRoutes.addAdminPasskey])
    serve(route, ({ actor, body, request, reply }) => addPasskey(context, actor, { body, request, reply }))

  for (const route of [passkeyRoutes.removePasskey, passkeyRoutes.removeAdminPasskey])
    serve(route, async ({ actor, body, request }) => {
      await removePasskey(context, actor, { ...body, guarded: browsers.guard(request) })
      return { message: request.words('done.passkey_removed') }
    })
}

function servePassword(serve: Serve, context: Context, { browsers }: SignInTools): void {
  for (const route of [accountRoutes.changePassword, administratorRoutes.changeAdminPassword])
    serve(route, async ({ actor, body, request }) => {
      await changePassword(context, actor, body, {
        guarded: browsers.guard(request),
        browser: browsers.hashOf(request),
      })
      return { message: request.words('done.password_changed') }
    })
}

function serveOwnSessions(serve: Serve, { db }: Context, { sessions }: SignInTools): void {
  for (const route of [accountRoutes.mySessions, administratorRoutes.adminSessions])
    serve(route, ({ actor }) => listOwnSessions(db, actor, sessions.idleSeconds(actor.kind)))

  for (const route of [accountRoutes.endOtherSessions, administratorRoutes.endOtherAdminSessions])
    serve(route, async ({ actor, request }) => ({
      message: request.words('done.signed_out_elsewhere'),
      endedCount: await endOtherSessions(db, actor),
    }))
}
