import { newBrand, type StaffBrand } from '#contract/brands.ts'
import { routes } from '#contract/routes.ts'
import { categories } from '#domain/brands.ts'
import { QUOTE_HOLDS_MINUTES } from '#domain/quote.ts'
import { ActionDialog } from '#web/forms/ActionForm.tsx'
import { CheckField } from '#web/kit/CheckField.tsx'
import { cx } from '#web/kit/cx.ts'
import { useLast } from '#web/kit/Dialog.tsx'
import { SelectField } from '#web/kit/SelectField.tsx'
import { TextField } from '#web/kit/TextField.tsx'
import { call } from '#web/wire/call.ts'
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

const categoryChoices = categories.map((value) => ({ value, label: value }))

export function BrandDialog({ edited, onClose }: BrandDialogProps) {
  const shown = useLast(edited)
  if (!shown) return null
  const brand = shown === 'new' ? undefined : shown
  const paid = brand && payoutOfHundred(brand.rate)
  return (
    <ActionDialog
      key={brand && `${brand.value} ${brand.updatedAt}`}
      open={edited !== undefined}
      onClose={onClose}
      wide
      title={brand ? `Edit ${brand.name}` : 'Add a brand'}
      description={
        brand
          ? `Applies to new quotes immediately. Quotes already shown are honored for ${QUOTE_HOLDS_MINUTES} minutes. The audit log records the change.`
          : 'Sellers can choose it immediately. Until now, its cards were bought as an unlisted brand at 85%.'
      }
      schema={newBrand}
      start={fieldsOf(brand)}
      send={(_, typed) => (brand ? change(brand, typed) : call(routes.addBrand, { body: typed }))}
      failed="The brand could not be saved."
      done={(saved) =>
        saved && {
          title: brand ? 'Brand Updated' : 'Brand Added',
          description: `${saved.name} pays ${plainPercent(saved.rate)}, from ${plainMoney(saved.minAmount)} to ${plainMoney(saved.maxAmount)}.`,
        }
      }
      refreshes={[routes.staffBrands, routes.brands, routes.auditLog]}
      submit={brand ? 'Save changes' : 'Add brand'}
    >
      {(field, form) => {
        const name = field('name')
        /** The slug follows the name until the slug is edited. */
        const onNameChange: typeof name.onChange = (event) => {
          const followsName = form.values.value === slugOf(form.values.name)
          if (!brand && followsName) form.setValue('value', slugOf(event.currentTarget.value))
          name.onChange(event)
        }
        // So that a typing error is noticed before it costs money.
        const pays = payoutOfHundred(String(form.values.rate))
        return (
          <div className="grid gap-5 sm:grid-cols-3">
            <TextField label="Name" autoComplete="off" {...name} onChange={onNameChange} />
            <TextField
              label="Slug"
              readOnly={brand !== undefined}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              hint={
                brand ? 'Cannot be changed.' : 'Identifies the brand in addresses. Cannot be changed later.'
              }
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
            <TextField
              label="Minimum"
              inputMode="decimal"
              prefix="$"
              autoComplete="off"
              {...field('minAmount')}
            />
            <TextField
              label="Maximum"
              inputMode="decimal"
              prefix="$"
              autoComplete="off"
              {...field('maxAmount')}
            />
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
            <TextField
              label="Balance phone"
              type="tel"
              autoComplete="off"
              optional
              {...field('balancePhone')}
            />
            <CheckField
              label={
                brand?.balanceCheckedOn
                  ? `I checked the balance page and phone today, and they work (last checked on ${brand.balanceCheckedOn})`
                  : 'I checked the balance page and phone today, and they work'
              }
              {...field('balanceChecked')}
              className="sm:col-span-3"
            />
            <CheckField label="Popular brand" {...field('popular')} className="sm:col-span-3" />
          </div>
        )
      }}
    </ActionDialog>
  )
}

function fieldsOf(brand: StaffBrand | undefined): BrandFields {
  if (!brand) {
    const terms = { name: '', value: '', rate: '', minAmount: '', maxAmount: '', popular: false }
    const nothing = { ...terms, balanceUrl: '', balancePhone: '', balanceChecked: false }
    // The schema refuses an empty category.
    return { ...nothing, category: '' as BrandFields['category'] }
  }
  const { name, value, category, rate, minAmount, maxAmount, popular } = brand
  const amounts = { rate: plain(rate), minAmount: plain(minAmount), maxAmount: plain(maxAmount) }
  const balance = {
    balanceUrl: brand.balanceUrl ?? '',
    balancePhone: brand.balancePhone ?? '',
    balanceChecked: false,
  }
  return { name, value, category: category as BrandFields['category'], ...amounts, popular, ...balance }
}

/** Sends only what has changed. */
async function change(brand: StaffBrand, typed: BrandFields): Promise<StaffBrand | undefined> {
  const body = changesOf(brand, typed)
  if (Object.keys(body).length === 0) return undefined
  return call(routes.changeBrand, { params: { slug: brand.value }, body })
}
