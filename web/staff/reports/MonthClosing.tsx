import { useQuery } from '@tanstack/react-query'
import { Download, Lock } from 'lucide-react'
import { useId, useState } from 'react'
import { routes } from '#contract/routes.ts'
import { monthBefore } from '#domain/reports.ts'
import { may } from '#domain/roles.ts'
import { ActionDialog } from '#web/forms/ActionForm.tsx'
import { Button, buttonClass } from '#web/kit/Button.tsx'
import { SelectField } from '#web/kit/SelectField.tsx'
import { Time } from '#web/kit/Time.tsx'
import { addressOf, call } from '#web/wire/call.ts'
import { read } from '#web/wire/read.ts'
import { useStaff } from '../shell/use-staff.ts'
import { periodName } from './report-formats.ts'
import { TaxForms } from './TaxForms.tsx'

const MONTHS = 36
const YEARS = 7

/** What a bookkeeper does at the end of a month and of a year. */
export function MonthClosing({ today }: { today: string }) {
  const id = useId()
  const { role } = useStaff().admin
  const closed = useQuery(read(routes.closedMonths, {})).data
  const months = Array.from({ length: MONTHS }, (_, index) => monthBefore(today, index))
  const thisYear = Number(today.slice(0, 4))
  const years = Array.from({ length: YEARS }, (_, index) => String(thisYear - index))
  const [month, setMonth] = useState(months[1] ?? '')
  const [year, setYear] = useState(years[0] ?? '')
  const [isAsking, setAsking] = useState(false)
  const closedThrough = closed?.closedThrough ?? null
  const isClosed = closedThrough !== null && month <= closedThrough
  return (
    <section aria-labelledby={id} className="rounded-lg border border-line bg-surface p-4">
      <h2 id={id} className="font-semibold text-lg">
        Closing a month
      </h2>
      <p className="max-w-prose text-pretty pb-3 text-soft text-sm">
        A closed month takes no more entries: what is recorded later is booked on the first open day. The
        journal has every entry of the ledger. Each download is in the audit log.
      </p>
      <p className="pb-3 text-sm">
        {closed?.closedThrough && closed.closedAt ? (
          <>
            <span className="font-medium">Closed through {nameOf(closed.closedThrough)}</span>, by{' '}
            {closed.closedBy} on <Time at={closed.closedAt} />
          </>
        ) : (
          closed && 'No month is closed yet.'
        )}
      </p>
      <div className="grid gap-x-8 gap-y-4 lg:max-w-4xl lg:grid-cols-[3fr_2fr]">
        <Choice label="Month" choices={months} nameOf={nameOf} value={month} onChange={setMonth}>
          <a href={addressOf(routes.exportJournal, {}, { month })} download className={fileClass}>
            <Download />
            Journal
          </a>
          {may(role, 'close_months') && (
            <Button
              variant="secondary"
              icon={<Lock />}
              disabled={!closed || isClosed || month === months[0]}
              onClick={() => setAsking(true)}
            >
              {isClosed ? 'Closed' : 'Close month…'}
            </Button>
          )}
        </Choice>
        <Choice label="Year" choices={years} nameOf={String} value={year} onChange={setYear}>
          <a href={addressOf(routes.exportSellerTotals, {}, { year })} download className={fileClass}>
            <Download />
            Totals by seller
          </a>
        </Choice>
      </div>
      {may(role, 'export_tax_forms') && <TaxForms year={Number(year)} />}
      <ActionDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title={`Close ${nameOf(month)}?`}
        description={`${nameOf(month)} and all earlier months take no more entries. They cannot be opened again.`}
        send={() => call(routes.closeMonth, { body: { month } })}
        failed="The month could not be closed."
        done={() => ({
          title: 'Month Closed',
          description: `The books are closed through ${nameOf(month)}.`,
        })}
        refreshes={[routes.closedMonths, routes.auditLog]}
        submit={`Close ${nameOf(month)}`}
      >
        <p className="text-pretty">
          Before you close it, record the sales and returns of the month, check the ledger and download the
          journal.
        </p>
      </ActionDialog>
    </section>
  )
}

const nameOf = (month: string) => periodName(`${month}-01`, 'month')
const fileClass = buttonClass({ variant: 'secondary' })

interface ChoiceProps {
  label: string
  choices: readonly string[]
  nameOf: (choice: string) => string
  value: string
  onChange: (value: string) => void
  children: React.ReactNode
}

/** A month or a year, and what can be done with it. */
function Choice({ label, choices, nameOf, value, onChange, children }: ChoiceProps) {
  return (
    <div className="flex flex-wrap items-end gap-2">
      <div className="min-w-36 flex-1">
        <SelectField
          label={label}
          choices={choices.map((choice) => ({ value: choice, label: nameOf(choice) }))}
          value={value}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
      </div>
      {children}
    </div>
  )
}
