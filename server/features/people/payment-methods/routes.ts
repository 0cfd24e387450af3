import { paymentMethodRoutes as routes } from '#contract/payment-methods.ts'
import type { Context } from '#server/context.ts'
import type { Serve } from '#server/http/serve.ts'
import { addPaymentMethod, deletePaymentMethod, listPaymentMethods } from './actions.ts'

export function servePaymentMethods(serve: Serve, context: Context): void {
  serve(routes.paymentMethods, ({ actor }) => listPaymentMethods(context, actor))

  serve(routes.addPaymentMethod, ({ actor, body }) => addPaymentMethod(context, actor, body))

  serve(routes.deletePaymentMethod, async ({ actor, params }) => {
    await deletePaymentMethod(context, actor, params.id)
    return { message: 'The payment method has been removed.' }
  })
}
