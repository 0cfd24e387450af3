import { accountRoutes } from '#contract/accounts.ts'
import { taxDetailsRoutes } from '#contract/tax-details.ts'
import type { Context } from '#server/context.ts'
import { readTaxDetails, saveTaxDetails } from '#server/features/books/tax-details.ts'
import { clientOf, type Serve } from '#server/http/serve.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import type { KnownBrowsers } from '../credentials/known-browsers.ts'
import { refuseIfOn, requireCode } from '../credentials/second-factor.ts'
import type { SignInTools } from '../sessions/sessions.ts'
import { checkCredentials, confirmPassword, lockAccount, ownAccount, toUser, updateUser } from './account.ts'
import { confirmEmail, sendConfirmationAgain } from './email.ts'
import { restoreEmail, updateProfile } from './profile.ts'
import { register } from './register.ts'
import { requestReset, resetPassword } from './reset-password.ts'

export function serveSellers(serve: Serve, context: Context, tools: SignInTools): void {
  const { browsers } = tools
  serveSignIn(serve, context, tools)
  serveOwnAccount(serve, context, tools)
  serveMailedLinks(serve, context, browsers)
}

function serveSignIn(serve: Serve, context: Context, { sessions, browsers, limits }: SignInTools): void {
  serve(accountRoutes.register, async ({ body, request, reply }) => {
    const user = await register(context, body, request.words.locale)
    await sessions.start('seller', user.id, request, reply)
    return { user: toUser(user, context.site) }
  })

  serve(accountRoutes.login, async ({ body, request, reply }) => {
    const user = await checkCredentials(context, body, browsers.guard(request))
    const withCode = await requireCode(context, { kind: 'seller', id: user.id }, body.code)
    await sessions.start('seller', user.id, request, reply, async (tx) => {
      await confirmPassword(tx, user)
      if (!withCode) await refuseIfOn(tx, user.id)
    })
    // Signing in with a code takes two calls but counts as one.
    if (withCode) await limits.giveBack(accountRoutes.login.limit, clientOf(request))
    return { user: toUser(user, context.site) }
  })

  serve(accountRoutes.logout, async ({ request, reply }) => {
    await sessions.end('seller', request, reply)
    return { message: request.words('done.signed_out') }
  })
}

function serveOwnAccount(serve: Serve, context: Context, { sessions }: SignInTools): void {
  serve(accountRoutes.me, async ({ actor, request, reply }) => {
    const user = await ownAccount(context, actor.id)
    sessions.hintLocale(request, reply, user.locale)
    return { user }
  })

  serve(accountRoutes.updateProfile, async ({ actor, body }) => {
    const user = await updateProfile(context, actor, body)
    return { user: toUser(user, context.site) }
  })

  serve(accountRoutes.changeLocale, async ({ actor, body, request, reply }) => {
    const user = await transaction(context.db, async (tx) => {
      await lockAccount(tx, actor.id)
      return updateUser(tx, actor.id, body)
    })
    sessions.hintLocale(request, reply, user.locale)
    return { user: toUser(user, context.site) }
  })

  serve(accountRoutes.sendConfirmation, async ({ actor, request }) => {
    await sendConfirmationAgain(context, actor)
    return { message: request.words('done.confirmation_sent') }
  })

  serve(accountRoutes.confirmEmail, async ({ actor, body, request }) => {
    await confirmEmail(context, actor, body.token)
    return { message: request.words('done.email_confirmed') }
  })

  serve(taxDetailsRoutes.taxDetails, ({ actor }) => readTaxDetails(context, actor))

  serve(taxDetailsRoutes.saveTaxDetails, ({ actor, body }) => saveTaxDetails(context, actor, body))
}

function serveMailedLinks(serve: Serve, context: Context, browsers: KnownBrowsers): void {
  serve(accountRoutes.forgotPassword, async ({ body, request }) => {
    await requestReset(context, body.email)
    return { message: request.words('done.reset_link_sent') }
  })

  serve(accountRoutes.resetPassword, async ({ body, request, reply }) => {
    const { userId, methodsRemoved, passkeys } = await resetPassword(context, body)
    // The reader of the mail is the owner, who can then sign in here even while someone guesses the password.
    const browser = await transaction(context.db, (tx) => browsers.remember(tx, userId, request))
    browsers.setCookie(browser, reply)
    const t = request.words
    const more = [
      ...(methodsRemoved ? [t('mail.methodsRemoved')] : []),
      ...(passkeys > 0 ? [t('mail.passkeysKept', { count: passkeys })] : []),
    ].join(' ')
    return { message: more ? t('done.password_reset_and_more', { more }) : t('done.password_reset') }
  })

  serve(accountRoutes.restoreEmail, async ({ body, request }) => {
    await restoreEmail(context, body.token)
    return { message: request.words('done.email_restored') }
  })
}
