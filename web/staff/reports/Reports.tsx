import { paymentTypes } from '#domain/payment-methods.ts'
import {
  addDays,
  daysIn,
  MAX_DAYS,
  monthBefore,
  owedAges,
  periodsOf,
  type Range,
  reportNames,
  steps,
  UNLISTED,
} from '#domain/reports.ts'
import { useBrands } from '#web/cards/use-brands.ts'
import { Button } from '#web/kit/Button.tsx'
import { ChoiceField } from '#web/kit/ChoiceField.tsx'
import { cx } from '#web/kit/cx.ts'
import { TextField } from '#web/kit/TextField.tsx'
import { useWords } from '#web/words/words.ts'
import { useFilters } from '../list/use-address.ts'
import { StaffScreen } from '../shell/StaffScreen.tsx'
import { useStaff } from '../shell/use-staff.ts'
import { useToday } from '../shell/use-today.ts'
import { MonthClosing } from './MonthClosing.tsx'
import { ReportCard, useReport } from './ReportCard.tsx'
import { counted, written } from './report-formats.ts'
import { type Labels, percentOf, total } from './report-views.ts'

export default function Reports() {
  const [filters, change] = useFilters(rangeFilters)
  const { admin } = useStaff()
  const today = useToday()
  const range = rangeOf(filters, today)
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
    <StaffScreen
      title="Reports"
      intro={`What was submitted, decided, paid and earned. Days are in the company’s time zone, ${admin.timeZone}.`}
    >
      <RangeBar range={range} today={today} problem={problem} onChange={change} />
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
      <MonthClosing today={today} />
    </StaffScreen>
  )
}

const parseDay = (text: string) => (/^\d{4}-\d{2}-\d{2}$/.test(text) && Date.parse(text) ? text : '')
const rangeFilters = {
  from: parseDay,
  to: parseDay,
  by: (text: string) => steps.find((step) => step === text),
}

/** The chosen days, or the last 30. */
function rangeOf(
  { from, to, by = 'day' }: { from: string; to: string; by?: Range['by'] | undefined },
  today: string,
): Range {
  const end = to || today
  return { from: from || addDays(end, -29), to: end, by }
}

function problemOf(range: Range): string | undefined {
  if (daysIn(range) < 1) return 'The first day is after the last'
  const most = MAX_DAYS[range.by]
  if (daysIn(range) <= most) return undefined
  return `At most ${most.toLocaleString('en-US')} days by ${range.by}`
}

const upTo = (today: string, days: number, by: Range['by']): Range => ({
  from: addDays(today, 1 - days),
  to: today,
  by,
})
const presets = [
  {
    name: 'month',
    range: (today: string): Range => ({
      from: `${monthBefore(today, 1)}-01`,
      to: addDays(`${monthBefore(today, 0)}-01`, -1),
      by: 'day',
    }),
  },
  { name: '30 days', range: (today: string) => upTo(today, 30, 'day') },
  { name: '13 weeks', range: (today: string) => upTo(today, 91, 'week') },
  { name: '12 months', range: (today: string) => upTo(today, 365, 'month') },
]

interface RangeBarProps {
  range: Range
  today: string
  problem: string | undefined
  onChange: (range: Partial<Range>) => void
}

function RangeBar({ range, today, problem, onChange }: RangeBarProps) {
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
        {presets.map(({ name, range: rangeOn }) => {
          const preset = rangeOn(today)
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
      value: paid && written(total(paid, 'amount'), 'dollars'),
      more: paid && counted(total(paid, 'payouts'), 'payout'),
      bars: paid && byPeriod(range, paid, 'amount'),
    },
    {
      name: 'Owed now',
      value: owed && written(total(owed, 'amount'), 'dollars'),
      more: owed && `${counted(total(owed, 'payouts'), 'payout')} not paid yet, by age`,
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
      value: sold && written(total(sold, 'margin'), 'dollars'),
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
