import { paymentMethodRoutes as routes } from '#contract/payment-methods.ts'
import type { Context } from '#server/context.ts'
import type { Serve } from '#server/http/serve.ts'
import { addPaymentMethod, deletePaymentMethod, listPaymentMethods, setDefaultMethod } from './actions.ts'

export function servePaymentMethods(serve: Serve, context: Context): void {
  serve(routes.paymentMethods, ({ actor, request }) => listPaymentMethods(context, actor, request.words))

  serve(routes.addPaymentMethod, ({ actor, body, request }) =>
    addPaymentMethod(context, actor, body, request.words),
  )

  serve(routes.setDefaultMethod, ({ actor, params, request }) =>
    setDefaultMethod(context, actor, params.id, request.words),
  )

  serve(routes.deletePaymentMethod, async ({ actor, params, request }) => {
    await deletePaymentMethod(context, actor, params.id)
    return { message: request.words('done.payment_method_removed') }
  })
}
