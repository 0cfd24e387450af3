import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { UseFormReturn } from 'react-hook-form'
import type { NewBrand, StaffBrand } from '#contract/brands.ts'
import { routes } from '#contract/routes.ts'
import { toast } from '#web/kit/toast.ts'
import { call } from '#web/wire/call.ts'
import { ApiError, messageOf } from '#web/wire/errors.ts'
import { refresh } from '#web/wire/read.ts'
import { showAtFields } from '#web/wire/use-call-form.ts'
import { type BrandFields, changesOf } from './brand-fields.ts'
import { plainMoney, plainPercent } from './terms.ts'

/** Adds the brand, or changes what differs; what the server knows to be wrong stands at the fields. */
export function useSaveBrand(
  form: UseFormReturn<BrandFields, unknown, NewBrand>,
  brand: StaffBrand | undefined,
  onDone: () => void,
) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (typed: BrandFields) =>
      brand ? change(brand, typed) : call(routes.addBrand, { body: typed }),
    onSuccess: (saved) => {
      if (saved) {
        const { name, rate, minAmount, maxAmount } = saved
        toast({
          title: brand ? 'Brand Updated' : 'Brand Added',
          description: `${name} pays ${plainPercent(rate)}, from ${plainMoney(minAmount)} to ${plainMoney(maxAmount)}.`,
        })
      }
      onDone()
      return refresh(client, routes.staffBrands, routes.brands, routes.auditLog)
    },
    onError: (error) => {
      showAtFields(form, error)
      // What stands at the fields need not be said twice.
      if (error instanceof ApiError && error.errors.length > 0) return
      toast({
        title: brand ? 'Update Failed' : 'Brand Not Added',
        description: messageOf(error, 'The brand could not be saved.'),
        variant: 'destructive',
      })
    },
  })
}

async function change(brand: StaffBrand, typed: BrandFields): Promise<StaffBrand | undefined> {
  const body = changesOf(brand, typed)
  if (Object.keys(body).length === 0) return undefined
  return call(routes.changeBrand, { params: { slug: brand.value }, body })
}
