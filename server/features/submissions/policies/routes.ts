import { policyRoutes as routes } from '#contract/policies.ts'
import type { Context } from '#server/context.ts'
import type { Serve } from '#server/http/serve.ts'
import * as policies from './actions.ts'
import { previewPolicy } from './preview.ts'
import { readPolicyReport } from './report.ts'

export function servePolicies(serve: Serve, context: Context): void {
  serve(routes.policies, () => policies.listPolicies(context))

  serve(routes.addPolicy, ({ actor, body }) => policies.addPolicy(context, actor, body))

  serve(routes.policyVersions, ({ params }) => policies.listVersions(context, params.id))

  serve(routes.changePolicy, ({ actor, params, body }) =>
    policies.changePolicy(context, actor, params.id, body),
  )

  serve(routes.setPolicyMode, ({ actor, params, body }) => policies.setMode(context, actor, params.id, body))

  serve(routes.policyReport, ({ params }) => readPolicyReport(context, params.id))

  serve(routes.previewPolicy, ({ body }) => previewPolicy(context, body))

  serve(routes.stopPolicies, async ({ actor }) => {
    await policies.stopPolicies(context, actor)
    return policies.listPolicies(context)
  })

  serve(routes.startPolicies, async ({ actor }) => {
    await policies.startPolicies(context, actor)
    return policies.listPolicies(context)
  })
}
