import { keepPreviousData, useQuery } from '@tanstack/react-query'
import {
  type Policy,
  type PolicyTermsTyped,
  type PolicyVersion,
  policyForm,
  policyTerms,
} from '#contract/policies.ts'
import { routes } from '#contract/routes.ts'
import { inDollars, parseDollars, toPlainDollars } from '#domain/money.ts'
import {
  conditionCodes,
  conditionFields,
  FAILED_CARD_DAYS,
  FRESH_BALANCE_MINUTES,
  MIN_SAMPLE_PERCENT,
  NEW_HOURS,
} from '#domain/policy.ts'
import { ActionForm } from '#web/forms/ActionForm.tsx'
import { CheckField } from '#web/kit/CheckField.tsx'
import { ChoiceField } from '#web/kit/ChoiceField.tsx'
import { FieldError } from '#web/kit/Field.tsx'
import { Panel } from '#web/kit/Panel.tsx'
import { useNavigate } from '#web/kit/router/index.ts'
import { TextField } from '#web/kit/TextField.tsx'
import { call } from '#web/wire/call.ts'
import { read } from '#web/wire/read.ts'
import { paths } from '#web/words/paths.ts'
import { useWords } from '#web/words/words.ts'
import { counted } from '../../list/nouns.ts'
import { useDebounced } from '../../shell/use-debounced.ts'

interface PolicyFormProps {
  /** Undefined: a new one. */
  policy?: Policy
  onDone?: (saved: PolicyVersion) => void
}

/** The fields of a policy, and beside them what they would have done. */
export function PolicyForm({ policy, onDone }: PolicyFormProps) {
  const navigate = useNavigate()
  return (
    <Panel aria-label={policy ? 'Conditions' : 'New policy'}>
      <ActionForm
        schema={policyForm}
        start={fieldsOf(policy)}
        send={(_, typed) =>
          policy
            ? call(routes.changePolicy, {
                params: { id: policy.id },
                body: { ...typed, version: policy.version },
              })
            : call(routes.addPolicy, { body: typed })
        }
        failed="The policy could not be saved."
        done={({ name, version }) => ({ title: 'Policy Saved', description: `${name}, version ${version}` })}
        refreshes={[routes.policies, routes.policyVersions, routes.auditLog]}
        {...(onDone && { onDone })}
        onCancel={() => navigate(paths.adminPolicies)}
        submit={policy ? 'Save as a new version' : 'Add policy'}
      >
        {(field, { values, setValue }) => (
          <div className="grid grid-cols-1 gap-8 lg:grid-cols-[minmax(0,1fr)_20rem]">
            <div className="grid content-start gap-5 sm:grid-cols-2">
              <div className="sm:col-span-2">
                <TextField label="Name" autoComplete="off" {...field('name')} />
              </div>
              <Brands
                chosen={values.brands}
                onChoose={(brands) => setValue('brands', brands)}
                error={field('brands').error}
              />
              <TextField
                label="Highest face value"
                inputMode="decimal"
                prefix="$"
                {...field('maxFaceValue')}
              />
              <TextField
                label="Lowest age of the account, in days"
                inputMode="numeric"
                {...field('minAccountDays')}
              />
              <TextField
                label="Lowest number of completed sales"
                inputMode="numeric"
                {...field('minCompletedSales')}
              />
              <TextField
                label="Wait, in minutes"
                inputMode="numeric"
                hint="A card must have been here for this long."
                {...field('waitMinutes')}
              />
              <TextField
                label="Limit of the day for a seller"
                inputMode="decimal"
                prefix="$"
                {...field('sellerLimit')}
              />
              <TextField
                label="Limit of the day for the shop"
                inputMode="decimal"
                prefix="$"
                hint="Counts what all policies approve."
                {...field('shopLimit')}
              />
              <TextField
                label="Sample for a person, in percent"
                inputMode="numeric"
                hint={`At least ${MIN_SAMPLE_PERCENT}%. Shows when a policy has become wrong.`}
                {...field('samplePercent')}
              />
              <CheckField
                label="Pay approved cards at once, through the payout provider"
                className="sm:col-span-2"
                {...field('paysAtOnce')}
              />
              <div className="sm:col-span-2">
                <ChoiceField
                  label={policy ? 'After the change' : 'Start'}
                  name="mode"
                  choices={[
                    { value: 'shadow', label: 'In shadow mode', hint: 'Records what it would do' },
                    { value: 'off', label: 'Off', hint: 'Does nothing' },
                  ]}
                  selected={values.mode}
                  onSelect={(mode) => setValue('mode', mode)}
                />
              </div>
            </div>
            <div className="grid content-start gap-6">
              <Preview typed={values} />
              <AlwaysRequired />
            </div>
          </div>
        )}
      </ActionForm>
    </Panel>
  )
}

type Typed = PolicyTermsTyped & { mode: 'off' | 'shadow' }

function fieldsOf(policy: Policy | undefined): Typed {
  if (!policy) {
    const amounts = { maxFaceValue: '50', sellerLimit: '100', shopLimit: '500' }
    const numbers = { minAccountDays: '90', minCompletedSales: '3', waitMinutes: '0', samplePercent: '10' }
    return { name: '', brands: [], ...amounts, ...numbers, paysAtOnce: false, mode: 'shadow' }
  }
  const { name, brands, minAccountDays, minCompletedSales, waitMinutes, samplePercent, paysAtOnce } = policy
  const plain = (amount: string) => toPlainDollars(parseDollars(amount) ?? 0)
  return {
    ...{ name, brands, minAccountDays, minCompletedSales, waitMinutes, samplePercent, paysAtOnce },
    maxFaceValue: plain(policy.maxFaceValue),
    sellerLimit: plain(policy.sellerLimit),
    shopLimit: plain(policy.shopLimit),
    mode: policy.mode === 'off' ? 'off' : 'shadow',
  }
}

interface BrandsProps {
  chosen: readonly string[]
  onChoose: (brands: string[]) => void
  error: string | undefined
}

function Brands({ chosen, onChoose, error }: BrandsProps) {
  const { data = [] } = useQuery(read(routes.staffBrands, {}))
  const byName = data.toSorted((one, other) => one.name.localeCompare(other.name))
  return (
    <fieldset className="grid gap-1.5 sm:col-span-2" aria-describedby={error ? 'brands-error' : undefined}>
      <legend className="pb-1.5 font-medium text-sm">
        Brands{' '}
        <span className="font-normal text-soft">
          · {chosen.length} chosen. Only brands with a balance connector are decided.
        </span>
      </legend>
      <div className="grid max-h-56 grid-cols-1 gap-x-4 overflow-y-auto rounded-md border border-control px-3 py-1 sm:grid-cols-2 xl:grid-cols-3">
        {byName.map(({ value, name }) => (
          <CheckField
            key={value}
            label={name}
            className="py-1.5 leading-tight"
            checked={chosen.includes(value)}
            onChange={({ currentTarget: { checked } }) =>
              onChoose(checked ? [...chosen, value] : chosen.filter((slug) => slug !== value))
            }
          />
        ))}
      </div>
      {error && <FieldError id="brands-error">{error}</FieldError>}
    </fieldset>
  )
}

/** After typing has stopped for this many ms. */
const PREVIEW_MS = 500

function Preview({ typed }: { typed: Typed }) {
  const t = useWords()
  // The name does not matter here.
  const terms = JSON.stringify({ ...typed, name: 'Preview' })
  const settled = useDebounced(terms, PREVIEW_MS, terms)
  const body = JSON.parse(settled)
  const query = useQuery({
    queryKey: [routes.previewPolicy.path, settled],
    queryFn: ({ signal }) => call(routes.previewPolicy, { body, signal }),
    enabled: policyTerms.safeParse(body).success,
    placeholderData: keepPreviousData,
  })
  const { data } = query
  return (
    <section aria-label="Preview" className="grid gap-2" aria-busy={query.isFetching}>
      <h3 className="text-base">With the latest cards</h3>
      {query.isError && <p className="text-negative text-sm">The preview could not be loaded.</p>}
      {!data && !query.isError && (
        <p className="text-soft text-sm">Fill in the fields to see what they would have done.</p>
      )}
      {data && (
        <>
          <p role="status" className="figures">
            It would have approved <b>{data.passed.toLocaleString('en-US')}</b> of the last{' '}
            {counted(data.cards, 'card')}, for {inDollars(data.price)}.
          </p>
          <dl className="figures grid text-sm">
            {data.stopped.map(({ code, cards }) => (
              <div key={code} className="flex justify-between gap-4 border-line border-t py-1">
                <dt className="text-soft">{t(`policies.stopped.${code}`)}</dt>
                <dd>{cards.toLocaleString('en-US')}</dd>
              </div>
            ))}
          </dl>
        </>
      )}
      <p className="text-pretty text-soft text-sm">
        Each card is judged by what was known when it was submitted, and counted under the first condition
        that it did not meet. Similar photos, refused accounts, states of sellers, holds, the age of the
        balance and the sample are left out. A card without a balance check counts as if its balance was
        right.
      </p>
    </section>
  )
}

function AlwaysRequired() {
  const t = useWords()
  const values = { days: FAILED_CARD_DAYS, hours: NEW_HOURS, minutes: FRESH_BALANCE_MINUTES }
  return (
    <section aria-label="Always required" className="grid gap-2">
      <h3 className="text-base">Always required</h3>
      <ul className="grid list-disc gap-1 pl-5 text-pretty text-soft text-sm">
        {conditionCodes
          .filter((code) => !conditionFields[code])
          .map((code) => (
            <li key={code}>{t(`policies.needs.${code}`, values)}</li>
          ))}
      </ul>
    </section>
  )
}
