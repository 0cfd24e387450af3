import { balanceConnectorRoutes as routes } from '#contract/balance-connectors.ts'
import type { Context } from '#server/context.ts'
import type { Serve } from '#server/http/serve.ts'
import * as connectors from './actions.ts'

export function serveBalanceConnectors(serve: Serve, context: Context): void {
  serve(routes.balanceConnectors, () => connectors.listConnectors(context))

  serve(routes.saveBalanceConnector, ({ actor, params, body }) =>
    connectors.saveConnector(context, actor, params.brand, body),
  )

  serve(routes.rotateConnectorSecret, async ({ actor, params }) => ({
    secret: await connectors.rotateConnectorSecret(context, actor, params.brand),
  }))

  serve(routes.deleteBalanceConnector, async ({ actor, params, request }) => {
    await connectors.deleteConnector(context, actor, params.brand)
    return { message: request.words('done.connector_deleted') }
  })
}
