import { Download } from 'lucide-react'
import { useId, useState } from 'react'
import { z } from 'zod'
import { routes } from '#contract/routes.ts'
import { paymentTypes } from '#domain/payment-methods.ts'
import {
  addDays,
  daysIn,
  MAX_DAYS,
  owedAges,
  periodsOf,
  type Range,
  reportNames,
  steps,
  UNLISTED,
} from '#domain/reports.ts'
import { may } from '#domain/roles.ts'
import { useBrands } from '#web/cards/use-brands.ts'
import { Button, buttonClass } from '#web/kit/Button.tsx'
import { ChoiceField } from '#web/kit/ChoiceField.tsx'
import { cx } from '#web/kit/cx.ts'
import { Dialog } from '#web/kit/Dialog.tsx'
import { Form, FormActions } from '#web/kit/Form.tsx'
import { PasswordField } from '#web/kit/PasswordField.tsx'
import { SelectField } from '#web/kit/SelectField.tsx'
import { TextField } from '#web/kit/TextField.tsx'
import { toast } from '#web/kit/toast.ts'
import { addressOf } from '#web/wire/call.ts'
import { callFile } from '#web/wire/call-file.ts'
import { toastUnlessAtField, useCallForm } from '#web/wire/use-call-form.ts'
import { useWords } from '#web/words/words.ts'
import { useFilters } from '../lists/use-address.ts'
import { StaffScreen } from '../StaffScreen.tsx'
import { useStaff } from '../use-staff.ts'
import { ReportCard, useReport } from './ReportCard.tsx'
import { counted, formatForBar, periodName, written } from './report-formats.ts'
import { type Labels, percentOf, total } from './report-views.ts'

export default function Reports() {
  const [filters, change] = useFilters(rangeFilters)
  const range = rangeOf(filters)
  const problem = problemOf(range)
  const t = useWords()
  const { brands } = useBrands()
  const labels: Labels = {
    range,
    brand: (slug) =>
      slug === UNLISTED ? 'Unlisted brands' : (brands.find(({ value }) => value === slug)?.name ?? slug),
    paymentType: (text) => {
      const type = paymentTypes.find((type) => type === text)
      return type ? t(`payments.type.${type}`) : text
    },
  }
  return (
    <StaffScreen title="Reports" intro="What was submitted, decided, paid and earned. Days are in UTC.">
      <RangeBar range={range} problem={problem} onChange={change} />
      {!problem && (
        <>
          <Figures range={range} />
          <div className="grid gap-4 lg:grid-cols-2">
            {reportNames.map((name) => (
              <ReportCard key={name} name={name} labels={labels} />
            ))}
          </div>
        </>
      )}
      <MonthClosing />
    </StaffScreen>
  )
}

const parseDay = (text: string) => (/^\d{4}-\d{2}-\d{2}$/.test(text) && Date.parse(text) ? text : '')
const rangeFilters = {
  from: parseDay,
  to: parseDay,
  by: (text: string) => steps.find((step) => step === text),
}

const today = () => new Date().toISOString().slice(0, 10)

/** The chosen days, or the last 30. */
function rangeOf({
  from,
  to,
  by = 'day',
}: {
  from: string
  to: string
  by?: Range['by'] | undefined
}): Range {
  const end = to || today()
  return { from: from || addDays(end, -29), to: end, by }
}

function problemOf(range: Range): string | undefined {
  if (daysIn(range) < 1) return 'The first day is after the last'
  const most = MAX_DAYS[range.by]
  if (daysIn(range) <= most) return undefined
  return `At most ${most.toLocaleString('en-US')} days by ${range.by}`
}

const upToToday = (days: number, by: Range['by']): Range => ({
  from: addDays(today(), 1 - days),
  to: today(),
  by,
})
const presets = [
  {
    name: 'month',
    range: (): Range => ({ from: `${monthsAgo(1)}-01`, to: addDays(`${monthsAgo(0)}-01`, -1), by: 'day' }),
  },
  { name: '30 days', range: () => upToToday(30, 'day') },
  { name: '13 weeks', range: () => upToToday(91, 'week') },
  { name: '12 months', range: () => upToToday(365, 'month') },
]

interface RangeBarProps {
  range: Range
  problem: string | undefined
  onChange: (range: Partial<Range>) => void
}

function RangeBar({ range, problem, onChange }: RangeBarProps) {
  return (
    <search className="flex flex-wrap items-start gap-x-3 gap-y-3">
      <div className="grid w-full grid-cols-2 gap-3 sm:w-auto max-sm:[&_input]:px-2">
        <TextField
          label="From"
          type="date"
          value={range.from}
          max={range.to}
          error={problem}
          onChange={({ currentTarget }) => onChange({ from: currentTarget.value })}
        />
        <TextField
          label="To"
          type="date"
          value={range.to}
          onChange={({ currentTarget }) => onChange({ to: currentTarget.value })}
        />
      </div>
      <div className="max-sm:w-full max-sm:[&_fieldset>div]:grid-cols-3">
        <ChoiceField
          label="By"
          name="by"
          choices={steps.map((step) => ({
            value: step,
            label: step.charAt(0).toUpperCase() + step.slice(1),
          }))}
          selected={range.by}
          onSelect={(by) => onChange({ by })}
        />
      </div>
      <div className="flex flex-wrap gap-1 max-xl:order-first max-xl:w-full xl:pt-6.5">
        {presets.map(({ name, range: rangeNow }) => {
          const preset = rangeNow()
          return (
            <Button
              key={name}
              variant="quiet"
              aria-pressed={preset.from === range.from && preset.to === range.to && preset.by === range.by}
              className="px-3 max-sm:px-1.5 max-sm:text-sm aria-pressed:bg-accent-quiet aria-pressed:text-accent"
              onClick={() => onChange(preset)}
            >
              <span>
                <span className={cx(name !== 'month' && 'max-2xl:sr-only')}>Last </span>
                {name}
              </span>
            </Button>
          )
        })}
      </div>
    </search>
  )
}

/** The headline figures of the range. A dash until they are loaded. */
function Figures({ range }: { range: Range }) {
  const volume = useReport('volume', { range }).data
  const decisions = useReport('approval_rate', { range }).data
  const paid = useReport('paid_out', { range }).data
  const owed = useReport('owed', { range }).data
  const sold = useReport('margin', { range }).data
  const approved = decisions && total(decisions, 'approved')
  const figures = [
    {
      name: 'Submitted',
      value: volume && written(total(volume, 'submissions'), 'count'),
      more: volume && `${written(total(volume, 'faceValue'), 'dollars')} face value`,
      bars: volume?.map(({ submissions }) => submissions),
    },
    {
      name: 'Approval rate',
      value:
        decisions && approved !== undefined && percentOf(approved, approved + total(decisions, 'rejected')),
      more: approved !== undefined && `${written(approved, 'count')} approved`,
      bars: decisions?.map(({ rate }) => Number(rate)),
    },
    {
      name: 'Paid out',
      value: paid && formatForBar(total(paid, 'amount'), 'dollars'),
      more: paid && counted(total(paid, 'payouts'), 'payout'),
      bars: paid && byPeriod(range, paid, 'amount'),
    },
    {
      name: 'Owed now',
      value: owed && formatForBar(total(owed, 'amount'), 'dollars'),
      more: owed && `${counted(total(owed, 'payouts'), 'payout')}, by age`,
      bars:
        owed &&
        owedAges.map((age) =>
          total(
            owed.filter((row) => row.age === age),
            'amount',
          ),
        ),
    },
    {
      name: 'Margin',
      value: sold && formatForBar(total(sold, 'margin'), 'dollars'),
      more: sold && `${counted(total(sold, 'cards'), 'card')} sold`,
      bars: sold && byPeriod(range, sold, 'margin'),
    },
  ]
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-line bg-line md:grid-cols-5">
      {figures.map(({ name, value, more, bars }) => (
        <div key={name} className="flex flex-col gap-0.5 bg-surface p-4 max-md:last:col-span-2">
          <dt className="text-soft text-sm">{name}</dt>
          <dd className="figures font-semibold text-xl tracking-tight">{value || '–'}</dd>
          <dd className="text-soft text-xs">{more || '\u00a0'}</dd>
          <dd className="mt-auto">
            <Bars values={bars ?? []} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

function byPeriod<Column extends string>(
  range: Range,
  rows: readonly ({ readonly period: string } & { readonly [K in Column]: string })[],
  column: Column,
): number[] {
  return periodsOf(range).map((period) =>
    total(
      rows.filter((row) => row.period === period),
      column,
    ),
  )
}

/** A preview of a report below, which shows the same numbers as a chart and a table. */
function Bars({ values }: { values: readonly number[] }) {
  const most = Math.max(1, ...values)
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${Math.max(1, values.length)} 1`}
      preserveAspectRatio="none"
      className="mt-1.5 h-7 w-full text-accent"
    >
      {values.map((value, index) => {
        const height = Math.max(0, value / most)
        return (
          <rect key={index} x={index + 0.1} y={1 - height} width={0.8} height={height} fill="currentColor" />
        )
      })}
    </svg>
  )
}

const MONTHS = 36
const YEARS = 7

/** The files that a bookkeeper wants at the end of a month and of a year. */
function MonthClosing() {
  const id = useId()
  const months = Array.from({ length: MONTHS }, (_, index) => monthsAgo(index))
  const thisYear = Number(today().slice(0, 4))
  const years = Array.from({ length: YEARS }, (_, index) => String(thisYear - index))
  const [month, setMonth] = useState(months[1] ?? '')
  const [year, setYear] = useState(years[0] ?? '')
  const mayExport = may(useStaff().admin.role, 'export_tax_forms')
  return (
    <section aria-labelledby={id} className="rounded-lg border border-line bg-surface p-4">
      <h2 id={id} className="font-semibold text-lg">
        Closing a month
      </h2>
      <p className="pb-3 text-soft text-sm">
        The journal has every entry of the ledger. Each download is in the audit log.
      </p>
      <div className="grid gap-x-8 gap-y-4 lg:max-w-3xl lg:grid-cols-2">
        <ClosingFile
          label="Month"
          choices={months.map((value) => ({ value, label: periodName(`${value}-01`, 'month') }))}
          value={month}
          onChange={setMonth}
          href={addressOf(routes.exportJournal, {}, { month })}
          action="Journal"
        />
        <ClosingFile
          label="Year"
          choices={years.map((value) => ({ value, label: value }))}
          value={year}
          onChange={setYear}
          href={addressOf(routes.exportSellerTotals, {}, { year })}
          action="Totals by seller"
        />
      </div>
      {mayExport && <TaxForms year={Number(year)} />}
    </section>
  )
}

/** The data for form 1099-K, with taxpayer numbers, so it takes the password. */
function TaxForms({ year }: { year: number }) {
  const [open, setOpen] = useState(false)
  const { sending, submit, field } = useCallForm({
    schema: passwordForm,
    start: { password: '' },
    send: ({ password }) => callFile(routes.exportTaxForms, {}, { password, year }),
    onDone: ({ bytes, name }) => {
      const address = URL.createObjectURL(bytes)
      Object.assign(document.createElement('a'), { href: address, download: name }).click()
      URL.revokeObjectURL(address)
      toast({ title: 'File Downloaded', description: name })
      setOpen(false)
    },
    failed: toastUnlessAtField('Nothing Exported', 'The file could not be made.'),
  })
  return (
    <div className="pt-4">
      <Button variant="secondary" onClick={() => setOpen(true)}>
        <Download />
        Tax forms of {year}
      </Button>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title={`Export tax forms of ${year}`}
        description="What form 1099-K needs of each seller above the threshold, with taxpayer numbers. Each number counts as a reveal, in the audit log and for its seller."
      >
        <Form onSubmit={submit}>
          <PasswordField
            label="Your password"
            autoFocus
            autoComplete="current-password"
            {...field('password')}
          />
          <FormActions loading={sending.isPending} onCancel={() => setOpen(false)}>
            Export
          </FormActions>
        </Form>
      </Dialog>
    </div>
  )
}

const passwordForm = z.object({ password: z.string() })

function monthsAgo(months: number): string {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months)).toISOString().slice(0, 7)
}

interface ClosingFileProps {
  label: string
  choices: readonly { value: string; label: string }[]
  value: string
  onChange: (value: string) => void
  href: string
  action: string
}

function ClosingFile({ label, choices, value, onChange, href, action }: ClosingFileProps) {
  return (
    <div className="flex flex-wrap items-end gap-2">
      <div className="min-w-36 flex-1">
        <SelectField
          label={label}
          choices={choices}
          value={value}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
      </div>
      <a href={href} download className={buttonClass({ variant: 'secondary' })}>
        <Download />
        {action}
      </a>
    </div>
  )
}
