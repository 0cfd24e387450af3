import { secondFactorRoutes as routes } from '#contract/second-factor.ts'
import type { Context } from '#server/context.ts'
import type { Serve } from '#server/http/serve.ts'
import * as secondFactor from './actions.ts'

export function serveSecondFactor(serve: Serve, context: Context): void {
  serve(routes.secondFactor, ({ actor }) => secondFactor.readSecondFactor(context, actor))

  serve(routes.startSecondFactor, ({ actor }) => secondFactor.startSecondFactor(context, actor))

  serve(routes.confirmSecondFactor, async ({ actor, body }) => ({
    recoveryCodes: await secondFactor.confirmSecondFactor(context, actor, body.code),
  }))

  serve(routes.stopSecondFactor, async ({ actor, body }) => {
    await secondFactor.stopSecondFactor(context, actor, body.code)
    return { message: 'The second factor is off' }
  })
}
