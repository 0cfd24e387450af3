import { accountRoutes } from '#contract/accounts.ts'
import { paymentMethodRoutes } from '#contract/payment-methods.ts'
import type { Context } from '#server/context.ts'
import type { Serve } from '#server/http/serve.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import type { KnownBrowsers } from '../known-browsers.ts'
import { endSellerSessions, listOwnSessions } from '../sessions/seller-sessions.ts'
import type { Sessions } from '../sessions/sessions.ts'
import { checkCredentials, confirmPassword, ownAccount, toUser } from './account.ts'
import { confirmEmail, sendConfirmationAgain } from './email.ts'
import { changePassword, requestReset, resetPassword } from './password.ts'
import { addPaymentMethod, deletePaymentMethod, listPaymentMethods } from './payment-methods.ts'
import { restoreEmail, updateProfile } from './profile.ts'
import { register } from './register.ts'
import { METHODS_REMOVED } from './security-emails.ts'

interface Tools {
  readonly sessions: Sessions
  readonly browsers: KnownBrowsers
}

export function serveSellers(serve: Serve, context: Context, { sessions, browsers }: Tools): void {
  serveSignIn(serve, context, { sessions, browsers })
  serveOwnAccount(serve, context, browsers)
  serveMailedLinks(serve, context, browsers)
  servePaymentMethods(serve, context)
}

function serveSignIn(serve: Serve, context: Context, { sessions, browsers }: Tools): void {
  serve(accountRoutes.register, async ({ body, request, reply }) => {
    const user = await register(context, body)
    const browser = await sessions.start('seller', user.id, request, reply, (tx) =>
      browsers.remember(tx, user.id, request),
    )
    browsers.setCookie(browser, reply)
    return { user: toUser(user, context.site) }
  })

  serve(accountRoutes.login, async ({ body, request, reply }) => {
    const user = await checkCredentials(context, body, browsers.guard(request))
    const browser = await sessions.start('seller', user.id, request, reply, async (tx) => {
      await confirmPassword(tx, user)
      return await browsers.remember(tx, user.id, request)
    })
    browsers.setCookie(browser, reply)
    return { user: toUser(user, context.site) }
  })

  serve(accountRoutes.logout, async ({ request, reply }) => {
    await sessions.end('seller', request, reply)
    return { message: 'Signed out' }
  })

  serve(accountRoutes.mySessions, ({ actor }) => listOwnSessions(context.db, actor))

  serve(accountRoutes.endOtherSessions, async ({ actor }) => {
    const endedCount = await transaction(context.db, (tx) =>
      endSellerSessions(tx, actor.id, { except: actor.sid }),
    )
    return { message: 'Signed out everywhere else', endedCount }
  })
}

function serveOwnAccount(serve: Serve, context: Context, browsers: KnownBrowsers): void {
  serve(accountRoutes.me, async ({ actor }) => ({ user: await ownAccount(context, actor.id) }))

  serve(accountRoutes.updateProfile, async ({ actor, body }) => {
    const user = await updateProfile(context, actor, body)
    return { user: toUser(user, context.site) }
  })

  serve(accountRoutes.sendConfirmation, async ({ actor }) => {
    await sendConfirmationAgain(context, actor)
    return { message: 'If your email address is not confirmed yet, a new link is on its way' }
  })

  serve(accountRoutes.confirmEmail, async ({ actor, body }) => {
    await confirmEmail(context, actor, body.token)
    return { message: 'Your email address is confirmed.' }
  })

  serve(accountRoutes.changePassword, async ({ actor, body, request }) => {
    await changePassword(context, actor, body, {
      guarded: browsers.guard(request),
      browser: browsers.hashOf(request),
    })
    return { message: 'Your password was changed' }
  })
}

function serveMailedLinks(serve: Serve, context: Context, browsers: KnownBrowsers): void {
  serve(accountRoutes.forgotPassword, async ({ body }) => {
    await requestReset(context, body.email)
    return { message: 'If there is an account with this email, a link is on its way' }
  })

  serve(accountRoutes.resetPassword, async ({ body, request, reply }) => {
    const { userId, methodsRemoved } = await resetPassword(context, body)
    // The reader of the mail is the owner, who can then sign in here even while someone guesses the password.
    const browser = await transaction(context.db, (tx) => browsers.remember(tx, userId, request))
    browsers.setCookie(browser, reply)
    const removed = methodsRemoved ? ` ${METHODS_REMOVED}` : ''
    return { message: `Your password was changed. Please sign in.${removed}` }
  })

  serve(accountRoutes.restoreEmail, async ({ body }) => {
    await restoreEmail(context, body.token)
    return { message: 'Your email address is restored. We have emailed you a link to set a new password.' }
  })
}

function servePaymentMethods(serve: Serve, context: Context): void {
  serve(paymentMethodRoutes.paymentMethods, ({ actor }) => listPaymentMethods(context, actor))

  serve(paymentMethodRoutes.addPaymentMethod, ({ actor, body }) => addPaymentMethod(context, actor, body))

  serve(paymentMethodRoutes.deletePaymentMethod, async ({ actor, params }) => {
    await deletePaymentMethod(context, actor, params.id)
    return { message: 'The payment method has been removed.' }
  })
}
