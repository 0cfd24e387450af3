import { passkeyRoutes } from '#contract/passkeys.ts'
import type { Context } from '#server/context.ts'
import { clientOf, type Serve } from '#server/http/serve.ts'
import { ownAccount } from '../sellers/account.ts'
import type { SignInTools } from '../sessions/sessions.ts'
import { findOwnAdministrator, recordSignIn } from '../staff/sign-in.ts'
import { addPasskey, creationOptions, listPasskeys, removePasskey } from './own-passkeys.ts'
import { checkPasskey, confirmPasskey, signInOptions } from './passkey-sign-in.ts'

export function servePasskeys(serve: Serve, context: Context, tools: SignInTools): void {
  serveSellerSignIn(serve, context, tools)
  serveStaffSignIn(serve, context, tools)
  serveOwnPasskeys(serve, context, tools)
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
