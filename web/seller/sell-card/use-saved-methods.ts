import { useQuery } from '@tanstack/react-query'
import type { PaymentMethod } from '#contract/payment-methods.ts'
import { routes } from '#contract/routes.ts'
import { read } from '#web/wire/read.ts'
import type { Draft } from './draft.ts'

/** The saved payment methods, and the one that the draft is paid by; the default one until somebody has chosen. */
export function useSavedMethods(draft: Draft) {
  // One that can't be loaded isn't offered: the form can be filled in without.
  const { data: methods = [] } = useQuery(read(routes.paymentMethods, {}))
  return { methods, chosen: chosenMethod(methods, draft) }
}

function chosenMethod(
  methods: readonly PaymentMethod[],
  { paymentMethodId, paymentType }: Draft,
): PaymentMethod | undefined {
  const nothingChosen = paymentMethodId === undefined && paymentType === ''
  return methods.find(
    ({ id, isDefault, isActive }) => isActive && (nothingChosen ? isDefault : id === paymentMethodId),
  )
}
