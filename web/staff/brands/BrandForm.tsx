import { type UseFormReturn, useForm, useWatch } from 'react-hook-form'
import { type NewBrand, newBrand, type StaffBrand } from '#contract/brands.ts'
import { categories } from '#domain/brands.ts'
import { QUOTE_HOLDS_MINUTES } from '#domain/quote.ts'
import { Button } from '#web/kit/Button.tsx'
import { Form, schemaResolver } from '#web/kit/Form.tsx'
import { SelectField } from '#web/kit/SelectField.tsx'
import { TextField } from '#web/kit/TextField.tsx'
import { type BrandFields, slugOf } from './brand-fields.ts'
import { paysForHundred, plain } from './terms.ts'
import { useSaveBrand } from './use-save-brand.ts'

type BrandFormState = UseFormReturn<BrandFields, unknown, NewBrand>

const categoryChoices = categories.map((value) => ({ value, label: value }))

/** The terms of a brand, of a new one with its slug. */
export function BrandForm({ brand, onDone }: { brand: StaffBrand | undefined; onDone: () => void }) {
  const form: BrandFormState = useForm({ resolver: schemaResolver(newBrand), defaultValues: fieldsOf(brand) })
  const save = useSaveBrand(form, brand, onDone)
  const { errors, dirtyFields } = form.formState
  const of = (field: keyof BrandFields) => ({ error: errors[field]?.message, ...form.register(field) })
  /** Until somebody writes another one. */
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
        hint={brand ? 'Stays as it is.' : 'Stands for the brand in addresses, for good.'}
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
          Sellers who were shown a quote before are paid by it for {QUOTE_HOLDS_MINUTES} minutes.
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
    // No category is chosen yet, which the schema refuses.
    return { ...nothing, category: '' as BrandFields['category'] }
  }
  const { name, value, category, rate, minAmount, maxAmount, popular } = brand
  const amounts = { rate: plain(rate), minAmount: plain(minAmount), maxAmount: plain(maxAmount) }
  return { name, value, category: category as BrandFields['category'], ...amounts, popular }
}

/** A rate with what it means, so that a slip of the finger is seen before it is paid. */
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
