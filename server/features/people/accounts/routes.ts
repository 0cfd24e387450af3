import { accountRoutes as routes } from '#contract/accounts.ts'
import type { Context } from '#server/context.ts'
import type { Limits } from '#server/http/limits/limits.ts'
import { clientOf, type Serve } from '#server/http/serve.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { listOwnSessions } from '../sessions/own-sessions.ts'
import type { Sessions } from '../sessions/sessions.ts'
import { endSellerSessions } from '../sessions/sign-out.ts'
import * as accounts from './actions.ts'
import { askForConfirmation, confirmEmail } from './email.ts'
import { KnownBrowsers } from './known-browsers.ts'
import { METHODS_REMOVED } from './mails.ts'
import { askForReset, changePassword, resetPassword } from './password.ts'
import { restoreEmail, updateProfile } from './profile.ts'
import { register } from './register.ts'

export function serveAccounts(
  serve: Serve,
  context: Context,
  { sessions, limits }: { sessions: Sessions; limits: Limits },
): void {
  const browsers = new KnownBrowsers(context, limits)
  serveSignIn(serve, context, { sessions, browsers })
  serveOwnAccount(serve, context, browsers)
  serveMailedLinks(serve, context, browsers)
  serveAdminSignIn(serve, context, { sessions, browsers, limits })
}

interface SigningIn {
  readonly sessions: Sessions
  readonly browsers: KnownBrowsers
}

function serveSignIn(serve: Serve, context: Context, { sessions, browsers }: SigningIn): void {
  serve(routes.register, async ({ body, request, reply }) => {
    const user = await register(context, body)
    const browser = await sessions.start('seller', user.id, request, reply, (tx) =>
      browsers.remember(tx, user.id, request),
    )
    browsers.handOver(browser, reply)
    return { user: accounts.toUser(user, context.site) }
  })

  serve(routes.login, async ({ body, request, reply }) => {
    const user = await accounts.checkCredentials(context, body, browsers.guard(request))
    const browser = await sessions.start('seller', user.id, request, reply, async (tx) => {
      await accounts.confirmPassword(tx, user)
      return await browsers.remember(tx, user.id, request)
    })
    browsers.handOver(browser, reply)
    return { user: accounts.toUser(user, context.site) }
  })

  serve(routes.logout, async ({ request, reply }) => {
    await sessions.end('seller', request, reply)
    return { message: 'Signed out' }
  })

  serve(routes.me, async ({ actor }) => ({ user: await accounts.ownAccount(context, actor.id) }))

  serve(routes.mySessions, ({ actor }) => listOwnSessions(context.db, actor))

  serve(routes.endOtherSessions, async ({ actor }) => {
    const endedCount = await transaction(context.db, (tx) =>
      endSellerSessions(tx, actor.id, { except: actor.sid }),
    )
    return { message: 'Signed out everywhere else', endedCount }
  })
}

function serveOwnAccount(serve: Serve, context: Context, browsers: KnownBrowsers): void {
  serve(routes.updateProfile, async ({ actor, body }) => {
    const user = await updateProfile(context, actor, body)
    return { user: accounts.toUser(user, context.site) }
  })

  serve(routes.sendConfirmation, async ({ actor }) => {
    await askForConfirmation(context, actor)
    return { message: 'If your e-mail address is not confirmed yet, a new link is on its way' }
  })

  serve(routes.confirmEmail, async ({ actor, body }) => {
    await confirmEmail(context, actor, body.token)
    return { message: 'Your e-mail address is confirmed.' }
  })

  serve(routes.changePassword, async ({ actor, body, request }) => {
    await changePassword(context, actor, body, {
      guarded: browsers.guard(request),
      browser: browsers.hashOf(request),
    })
    return { message: 'Your password was changed' }
  })
}

function serveMailedLinks(serve: Serve, context: Context, browsers: KnownBrowsers): void {
  serve(routes.forgotPassword, async ({ body }) => {
    await askForReset(context, body.email)
    return { message: 'If there is an account with this email, a link is on its way' }
  })

  serve(routes.resetPassword, async ({ body, request, reply }) => {
    const { userId, methodsRemoved } = await resetPassword(context, body)
    // Whoever reads the mails is the owner: from here they get in even while somebody guesses.
    const browser = await transaction(context.db, (tx) => browsers.remember(tx, userId, request))
    browsers.handOver(browser, reply)
    const removed = methodsRemoved ? ` ${METHODS_REMOVED}` : ''
    return { message: `Your password was changed. Please sign in.${removed}` }
  })

  serve(routes.restoreEmail, async ({ body }) => {
    await restoreEmail(context, body.token)
    return { message: 'Your email is back. We have mailed you a link to set a new password.' }
  })
}

function serveAdminSignIn(
  serve: Serve,
  context: Context,
  { sessions, browsers, limits }: SigningIn & { limits: Limits },
): void {
  serve(routes.adminLogin, async ({ body, request, reply }) => {
    const guard = browsers.guard(request)
    const { administrator, details } = await accounts.checkAdminCredentials(context, body, guard)
    const { id, username } = administrator
    const browser = await sessions.start('staff', id, request, reply, async (tx) => {
      await accounts.confirmAdminPassword(tx, administrator)
      await accounts.recordAdminSignIn(tx, administrator, details)
      return await browsers.remember(tx, id, request)
    })
    browsers.handOver(browser, reply)
    // Who was asked for a code has called twice to sign in once.
    if (body.code !== undefined) await limits.giveBack(routes.adminLogin.limit, clientOf(request))
    return { id, username }
  })

  serve(routes.adminLinkLogin, async ({ body, request, reply }) => {
    const { administrator, details } = await accounts.checkAdminLink(context, body)
    const { id, username } = administrator
    const browser = await sessions.start('staff', id, request, reply, async (tx) => {
      await accounts.takeAdminLink(tx, body.token)
      await accounts.recordAdminSignIn(tx, administrator, details)
      return await browsers.remember(tx, id, request)
    })
    browsers.handOver(browser, reply)
    return { id, username }
  })

  serve(routes.adminLogout, async ({ request, reply }) => {
    await sessions.end('staff', request, reply)
    return { message: 'Signed out' }
  })

  serve(routes.unsetContacts, async () => [...(context.site.unsetContacts ?? [])])

  serve(routes.adminMe, ({ actor }) => accounts.ownAdministrator(context, actor.id))
}
