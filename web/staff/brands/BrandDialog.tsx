import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type UseFormReturn, useForm, useWatch } from 'react-hook-form'
import { type NewBrand, newBrand, type StaffBrand } from '#contract/brands.ts'
import { routes } from '#contract/routes.ts'
import { categories } from '#domain/brands.ts'
import { QUOTE_HOLDS_MINUTES } from '#domain/quote.ts'
import { Button } from '#web/kit/Button.tsx'
import { Dialog } from '#web/kit/Dialog.tsx'
import { Form, schemaResolver } from '#web/kit/Form.tsx'
import { SelectField } from '#web/kit/SelectField.tsx'
import { TextField } from '#web/kit/TextField.tsx'
import { toast } from '#web/kit/toast.ts'
import { call } from '#web/wire/call.ts'
import { ApiError, messageOf } from '#web/wire/errors.ts'
import { refresh } from '#web/wire/read.ts'
import { showAtFields } from '#web/wire/use-call-form.ts'
import {
  type BrandFields,
  changesOf,
  paysForHundred,
  plain,
  plainMoney,
  plainPercent,
  slugOf,
} from './brand-fields.ts'

interface BrandDialogProps {
  edited: StaffBrand | 'new' | undefined
  onClose: () => void
}

export function BrandDialog({ edited, onClose }: BrandDialogProps) {
  // The dialog keeps its content while it fades out.
  const [shown, setShown] = useState(edited)
  if (edited && edited !== shown) setShown(edited)
  if (!shown) return null
  const brand = shown === 'new' ? undefined : shown
  return (
    <Dialog
      open={edited !== undefined}
      onOpenChange={(open) => open || onClose()}
      title={brand ? `Edit ${brand.name}` : 'Add a brand'}
      description={
        brand
          ? 'Applies to new quotes immediately. The audit log records the change.'
          : 'Sellers can choose it immediately. Until now, its cards were bought as an unlisted brand at 85%.'
      }
    >
      <BrandForm key={brand && `${brand.value} ${brand.updatedAt}`} brand={brand} onDone={onClose} />
    </Dialog>
  )
}

type BrandFormState = UseFormReturn<BrandFields, unknown, NewBrand>

const categoryChoices = categories.map((value) => ({ value, label: value }))

function BrandForm({ brand, onDone }: { brand: StaffBrand | undefined; onDone: () => void }) {
  const form: BrandFormState = useForm({ resolver: schemaResolver(newBrand), defaultValues: fieldsOf(brand) })
  const save = useSaveBrand(form, brand, onDone)
  const { errors, dirtyFields } = form.formState
  const of = (field: keyof BrandFields) => ({ error: errors[field]?.message, ...form.register(field) })
  /** The slug follows the name until the slug is edited. */
  function followWithSlug({ target }: { target: { value: string } }) {
    if (!brand && !dirtyFields.value) form.setValue('value', slugOf(target.value))
  }
  return (
    <Form
      onSubmit={form.handleSubmit(() => save.mutate(form.getValues()))}
      className="grid gap-5 sm:grid-cols-2"
    >
      <TextField
        label="Name"
        autoComplete="off"
        error={errors.name?.message}
        {...form.register('name', { onChange: followWithSlug })}
      />
      <TextField
        label="Slug"
        readOnly={brand !== undefined}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        hint={brand ? 'Cannot be changed.' : 'Identifies the brand in addresses. Cannot be changed later.'}
        className="font-mono read-only:bg-sunken read-only:text-soft"
        {...of('value')}
      />
      <SelectField
        label="Category"
        choices={categoryChoices}
        {...(!brand && { placeholder: 'Choose one' })}
        {...of('category')}
      />
      <RateField form={form} before={brand?.rate} />
      <TextField label="Minimum" inputMode="decimal" prefix="$" autoComplete="off" {...of('minAmount')} />
      <TextField label="Maximum" inputMode="decimal" prefix="$" autoComplete="off" {...of('maxAmount')} />
      <label className="flex min-h-11 items-center gap-3 sm:col-span-2">
        <input type="checkbox" className="size-5 accent-accent" {...form.register('popular')} />
        Popular brand
      </label>
      {brand && (
        <p className="text-soft text-sm sm:col-span-2">
          Quotes already shown are honored for {QUOTE_HOLDS_MINUTES} minutes.
        </p>
      )}
      <footer className="flex flex-col-reverse gap-2 sm:col-span-2 sm:flex-row sm:justify-end">
        <Button variant="secondary" onClick={onDone}>
          Cancel
        </Button>
        <Button type="submit" loading={save.isPending}>
          {brand ? 'Save Changes' : 'Add Brand'}
        </Button>
      </footer>
    </Form>
  )
}

function fieldsOf(brand: StaffBrand | undefined): BrandFields {
  if (!brand) {
    const nothing = { name: '', value: '', rate: '', minAmount: '', maxAmount: '', popular: false }
    // The schema refuses an empty category.
    return { ...nothing, category: '' as BrandFields['category'] }
  }
  const { name, value, category, rate, minAmount, maxAmount, popular } = brand
  const amounts = { rate: plain(rate), minAmount: plain(minAmount), maxAmount: plain(maxAmount) }
  return { name, value, category: category as BrandFields['category'], ...amounts, popular }
}

/** Shows what a $100 card pays at this rate, so that a typing error is noticed before it costs money. */
function RateField({ form, before }: { form: BrandFormState; before: string | undefined }) {
  const { rate } = useWatch({ control: form.control })
  const pays = paysForHundred(String(rate ?? ''))
  const paid = before && paysForHundred(before)
  return (
    <TextField
      label="Rate in percent"
      inputMode="decimal"
      autoComplete="off"
      error={form.formState.errors.rate?.message}
      hint={
        pays && (
          <span className="figures">
            A $100 card pays {pays}
            {paid && paid !== pays && `, was ${paid}`}
          </span>
        )
      }
      {...form.register('rate')}
    />
  )
}

/** Adds the brand, or sends what has changed. The server's field errors appear at the fields. */
function useSaveBrand(
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
