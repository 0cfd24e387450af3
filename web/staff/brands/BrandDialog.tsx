import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { newBrand, type StaffBrand } from '#contract/brands.ts'
import { routes } from '#contract/routes.ts'
import { categories } from '#domain/brands.ts'
import { QUOTE_HOLDS_MINUTES } from '#domain/quote.ts'
import { cx } from '#web/kit/cx.ts'
import { Dialog } from '#web/kit/Dialog.tsx'
import { Form, FormActions } from '#web/kit/Form.tsx'
import { SelectField } from '#web/kit/SelectField.tsx'
import { TextField } from '#web/kit/TextField.tsx'
import { toast } from '#web/kit/toast.ts'
import { call } from '#web/wire/call.ts'
import { refresh } from '#web/wire/read.ts'
import { toastUnlessAtField, useCallForm } from '#web/wire/use-call-form.ts'
import {
  type BrandFields,
  changesOf,
  payoutOfHundred,
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
      wide
      title={brand ? `Edit ${brand.name}` : 'Add a brand'}
      description={
        brand
          ? `Applies to new quotes immediately. Quotes already shown are honored for ${QUOTE_HOLDS_MINUTES} minutes. The audit log records the change.`
          : 'Sellers can choose it immediately. Until now, its cards were bought as an unlisted brand at 85%.'
      }
    >
      <BrandForm key={brand && `${brand.value} ${brand.updatedAt}`} brand={brand} onDone={onClose} />
    </Dialog>
  )
}

const categoryChoices = categories.map((value) => ({ value, label: value }))

function BrandForm({ brand, onDone }: { brand: StaffBrand | undefined; onDone: () => void }) {
  const client = useQueryClient()
  const { form, sending, submit, field } = useCallForm({
    schema: newBrand,
    start: fieldsOf(brand),
    send: (): Promise<StaffBrand | undefined> => {
      // As typed: the schema turns amounts into cents, and the server parses them again.
      const typed: BrandFields = form.getValues()
      return brand ? change(brand, typed) : call(routes.addBrand, { body: typed })
    },
    onDone: (saved) => {
      if (saved) {
        const { name, rate, minAmount, maxAmount } = saved
        toast({
          title: brand ? 'Brand Updated' : 'Brand Added',
          description: `${name} pays ${plainPercent(rate)}, from ${plainMoney(minAmount)} to ${plainMoney(maxAmount)}.`,
        })
      }
      onDone()
      void refresh(client, routes.staffBrands, routes.brands, routes.auditLog)
    },
    failed: toastUnlessAtField(brand ? 'Update Failed' : 'Brand Not Added', 'The brand could not be saved.'),
  })
  const name = field('name')
  /** The slug follows the name until the slug is edited. */
  const onNameChange: typeof name.onChange = (event) => {
    const followsName = form.values.value === slugOf(form.values.name)
    if (!brand && followsName) form.setValue('value', slugOf(event.currentTarget.value))
    name.onChange(event)
  }
  // So that a typing error is noticed before it costs money.
  const pays = payoutOfHundred(String(form.values.rate))
  const paid = brand && payoutOfHundred(brand.rate)
  return (
    <Form onSubmit={submit} className="grid gap-5 sm:grid-cols-3">
      <TextField label="Name" autoComplete="off" {...name} onChange={onNameChange} />
      <TextField
        label="Slug"
        readOnly={brand !== undefined}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        hint={brand ? 'Cannot be changed.' : 'Identifies the brand in addresses. Cannot be changed later.'}
        className="font-mono read-only:bg-sunken read-only:text-soft"
        {...field('value')}
      />
      <SelectField
        label="Category"
        choices={categoryChoices}
        {...(!brand && { placeholder: 'Choose one' })}
        {...field('category')}
      />
      <TextField
        label="Rate in percent"
        inputMode="decimal"
        autoComplete="off"
        hint={
          pays && (
            <span className={cx('figures', paid && paid !== pays && 'font-semibold text-caution')}>
              A $100 card pays {pays}
              {paid && paid !== pays && `, was ${paid}`}
            </span>
          )
        }
        {...field('rate')}
      />
      <TextField label="Minimum" inputMode="decimal" prefix="$" autoComplete="off" {...field('minAmount')} />
      <TextField label="Maximum" inputMode="decimal" prefix="$" autoComplete="off" {...field('maxAmount')} />
      <div className="sm:col-span-2">
        <TextField
          label="Balance page"
          type="url"
          inputMode="url"
          placeholder="https://"
          autoComplete="off"
          optional
          hint="Where staff check the balance of a card."
          {...field('balanceUrl')}
        />
      </div>
      <TextField label="Balance phone" type="tel" autoComplete="off" optional {...field('balancePhone')} />
      <label className="flex min-h-11 items-center gap-3 sm:col-span-3">
        <input type="checkbox" className="size-5 accent-accent" {...form.field('popular')} />
        Popular brand
      </label>
      <div className="sm:col-span-3">
        <FormActions loading={sending.isPending} onCancel={onDone}>
          {brand ? 'Save changes' : 'Add brand'}
        </FormActions>
      </div>
    </Form>
  )
}

function fieldsOf(brand: StaffBrand | undefined): BrandFields {
  if (!brand) {
    const terms = { name: '', value: '', rate: '', minAmount: '', maxAmount: '', popular: false }
    const nothing = { ...terms, balanceUrl: '', balancePhone: '' }
    // The schema refuses an empty category.
    return { ...nothing, category: '' as BrandFields['category'] }
  }
  const { name, value, category, rate, minAmount, maxAmount, popular } = brand
  const amounts = { rate: plain(rate), minAmount: plain(minAmount), maxAmount: plain(maxAmount) }
  const balance = { balanceUrl: brand.balanceUrl ?? '', balancePhone: brand.balancePhone ?? '' }
  return { name, value, category: category as BrandFields['category'], ...amounts, popular, ...balance }
}

/** Sends only what has changed. */
async function change(brand: StaffBrand, typed: BrandFields): Promise<StaffBrand | undefined> {
  const body = changesOf(brand, typed)
  if (Object.keys(body).length === 0) return undefined
  return call(routes.changeBrand, { params: { slug: brand.value }, body })
}
