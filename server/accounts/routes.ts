import { accountRoutes as routes } from '#contract/accounts.ts'
import type { Context } from '#server/context.ts'
import type { Serve } from '#server/http/serve.ts'
import type { Sessions } from '#server/sessions/sessions.ts'
import * as accounts from './actions.ts'

export function serveAccounts(serve: Serve, context: Context, sessions: Sessions): void {
  serve(routes.register, async ({ body, request, reply }) => {
    const user = await accounts.register(context, body)
    await sessions.start('seller', user.id, request, reply)
    return { user: accounts.toUser(user, context.site) }
  })

  serve(routes.login, async ({ body, request, reply }) => {
    const user = await accounts.checkCredentials(context, body)
    await sessions.start('seller', user.id, request, reply)
    return { user: accounts.toUser(user, context.site) }
  })

  serve(routes.logout, async ({ request, reply }) => {
    await sessions.end('seller', request, reply)
    return { message: 'Signed out' }
  })

  serve(routes.me, async ({ actor }) => ({ user: await accounts.ownAccount(context, actor.id) }))

  serve(routes.adminLogin, async ({ body, request, reply }) => {
    const { id, username } = await accounts.checkAdminCredentials(context, body)
    await sessions.start('staff', id, request, reply)
    return { id, username }
  })

  serve(routes.adminLogout, async ({ request, reply }) => {
    await sessions.end('staff', request, reply)
    return { message: 'Signed out' }
  })

  serve(routes.adminMe, async ({ actor }) => ({ id: actor.id, username: actor.username }))
}
