import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { routes } from '#contract/routes.ts'
import {
  type BankStatement,
  MAX_APPLIED,
  type StatementDecision,
  type StatementResult,
  type WireStatementLine,
} from '#contract/statements.ts'
import { Button } from '#web/kit/Button.tsx'
import { cx } from '#web/kit/cx.ts'
import { Dialog } from '#web/kit/Dialog.tsx'
import { Form, FormActions } from '#web/kit/Form.tsx'
import { Money } from '#web/kit/Money.tsx'
import { Notice } from '#web/kit/Notice.tsx'
import { type Choice, Select } from '#web/kit/SelectField.tsx'
import { Time } from '#web/kit/Time.tsx'
import { messageOf } from '#web/wire/errors.ts'
import { upload } from '#web/wire/upload.ts'
import { counted } from '../list/nouns.ts'
import { refreshPayouts } from '../shell/payout-queries.ts'
import { UploadField } from './UploadField.tsx'

/** Takes a bank's statement, shows what its lines probably are, and settles batches and books fees as the payer decides. */
export function StatementDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => next || onClose()}
      wide
      title="Import a bank statement"
      description="A CSV, OFX, QFX or camt.053 file of your bank. You see each line before anything changes. Importing a file again changes nothing."
    >
      <Statement onDone={onClose} />
    </Dialog>
  )
}

function Statement({ onDone }: { onDone: () => void }) {
  const reading = useMutation({
    mutationFn: (file: File) =>
      upload(routes.readStatement, { fields: {}, files: [file], filesName: 'file' }),
  })
  const [result, setResult] = useState<StatementResult>()
  const { data, variables: file } = reading
  if (result) return <Applied result={result} onDone={onDone} />
  return (
    <div className="grid gap-4">
      <UploadField sending={reading} pending="Reading..." failed="The file could not be read." />
      {data && file && (
        <Lines key={file.name} file={file} statement={data} onApplied={setResult} onCancel={onDone} />
      )}
    </div>
  )
}

/** What a line is: the id of a batch, a fee, or nothing of ours. */
type Decision = string | typeof FEE | typeof OUT
const FEE = 'fee'
const OUT = 'out'

interface LinesProps {
  file: File
  statement: BankStatement
  onApplied: (result: StatementResult) => void
  onCancel: () => void
}

function Lines({ file, statement, onApplied, onCancel }: LinesProps) {
  const client = useQueryClient()
  const { lines, receivedCount, accounts } = statement
  const [decisions, setDecisions] = useState(() => new Map(lines.map((line) => [line.line, suggested(line)])))
  const [showsAll, showAll] = useState(false)
  const chosen = [...decisions].flatMap(([line, decision]) => toDecision(line, decision))
  const unpaidCount = statement.batches
    .filter(({ id }) => [...decisions.values()].includes(id))
    .reduce((sum, batch) => sum + batch.unpaidCount, 0)
  const applying = useMutation({
    mutationFn: () =>
      upload(routes.applyStatement, {
        fields: { decisions: JSON.stringify(chosen) },
        files: [file],
        filesName: 'file',
      }),
    onSettled: () => refreshPayouts(client),
    onSuccess: onApplied,
  })
  const isOurs = (line: WireStatementLine) => line.suggestion !== null || line.isApplied
  const others = lines.filter((line) => !isOurs(line))
  const shown = showsAll ? lines : lines.filter((line) => isOurs(line) || decisions.get(line.line) !== OUT)
  const open = lines.filter(({ line, suggestion }) => suggestion === 'choose' && decisions.get(line) === OUT)

  function submit(event: FormEvent) {
    event.preventDefault()
    if (chosen.length > 0 && chosen.length <= MAX_APPLIED && !applying.isPending) applying.mutate()
  }

  return (
    <Form onSubmit={submit}>
      <p className="text-pretty text-soft text-sm">
        {counted(lines.length, 'debit')}
        {receivedCount > 0 && ` and ${counted(receivedCount, 'credit')}. Credits are left out`}.
        {accounts.length > 0 && ` Account ending in ${accounts.join(', ')}.`}
      </p>
      {open.length > 0 && (
        <Notice
          tone="caution"
          title={`Choose a batch for ${counted(open.length, 'line')}, or leave ${open.length === 1 ? 'it' : 'them'} out`}
        >
          Several batches or lines have the same total. Compare the bank’s details.
        </Notice>
      )}
      {shown.length > 0 ? (
        <ul
          aria-label="Lines"
          className="max-h-96 divide-y divide-line overflow-y-auto rounded-md border border-line"
        >
          {shown.map((line) => (
            <Line
              key={line.line}
              line={line}
              statement={statement}
              decision={decisions.get(line.line) ?? OUT}
              onDecide={(decision) => setDecisions(new Map(decisions).set(line.line, decision))}
            />
          ))}
        </ul>
      ) : (
        <p className="text-sm">No line looks like a batch or a fee.</p>
      )}
      {others.length > 0 && (
        <Button
          variant="quiet"
          size="sm"
          className="justify-self-start"
          aria-expanded={showsAll}
          onClick={() => showAll(!showsAll)}
        >
          {showsAll ? 'Hide other business' : `Show ${counted(others.length, 'line')} of other business`}
        </Button>
      )}
      {unpaidCount > 0 && (
        <p className="text-pretty text-sm">
          {counted(unpaidCount, 'payout')} will be recorded as paid, and{' '}
          {unpaidCount === 1 ? 'its seller gets' : 'the sellers get'} an email.
        </p>
      )}
      {applying.error && (
        <Notice
          tone="negative"
          title={messageOf(applying.error, 'The statement could not be applied.')}
          urgent
        >
          Nothing was changed.
        </Notice>
      )}
      <FormActions
        loading={applying.isPending}
        aria-disabled={chosen.length === 0 || chosen.length > MAX_APPLIED || undefined}
        onCancel={onCancel}
      >
        {chosen.length > MAX_APPLIED
          ? `At most ${MAX_APPLIED} lines`
          : `Apply ${counted(chosen.length, 'line')}`}
      </FormActions>
    </Form>
  )
}

function suggested({ suggestion, batchIds, isFeeBooked }: WireStatementLine): Decision {
  if (suggestion === 'batch') return batchIds[0] ?? OUT
  return suggestion === 'fee' && !isFeeBooked ? FEE : OUT
}

function toDecision(line: number, decision: Decision): StatementDecision[] {
  if (decision === OUT) return []
  return [decision === FEE ? { line, kind: 'fee' } : { line, kind: 'batch', batchId: decision }]
}

interface LineProps {
  line: WireStatementLine
  statement: BankStatement
  decision: Decision
  onDecide: (decision: Decision) => void
}

function Line({ line: { line, day, amount, text, ...found }, statement, decision, onDecide }: LineProps) {
  const { batchIds, isApplied, isFeeBooked, suggestion } = found
  const batches = statement.batches.filter(({ id }) => batchIds.includes(id))
  const choices: Choice[] = [
    ...batches.map(({ id, number }) => ({ value: id, label: `Batch ${number}` })),
    { value: FEE, label: 'Fee' },
    { value: OUT, label: 'Leave out' },
  ]
  const isOpen = suggestion === 'choose' && decision === OUT
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-2 px-3 py-2.5 text-sm sm:grid-cols-[minmax(0,1fr)_6rem_11rem] sm:items-center">
      <div className="grid min-w-0 gap-0.5">
        <span className="wrap-anywhere font-medium">{text || 'No text'}</span>
        <span className="text-soft">
          Line {line} · <Time at={day} as="day" />
        </span>
        {isFeeBooked && <span className="text-caution">A fee of this amount is booked on this day</span>}
        {isOpen && (
          <span className="text-caution">
            {batches.map(({ number }) => `Batch ${number}`).join(' or ')} or something else
          </span>
        )}
      </div>
      <Money amount={amount} className="justify-self-end font-semibold" />
      {isApplied ? (
        <span className="text-soft max-sm:col-span-2">Applied before</span>
      ) : (
        <div className="max-sm:col-span-2">
          <Select
            aria-label={`Line ${line}: ${text}`}
            choices={choices}
            value={decision}
            className={cx('min-h-9 py-1', isOpen && 'border-caution')}
            onChange={({ currentTarget }) => onDecide(currentTarget.value)}
          />
        </div>
      )}
    </li>
  )
}

function Applied({ result, onDone }: { result: StatementResult; onDone: () => void }) {
  const { settledCount, feeCount, feeTotal, alreadyCount } = result
  return (
    <div className="grid gap-4">
      <Notice tone="positive" title="Statement applied" urgent>
        <p>
          {counted(settledCount, 'batch')} settled, {counted(feeCount, 'fee')} booked
          {feeCount > 0 && (
            <>
              {' '}
              (<Money amount={feeTotal} />)
            </>
          )}
          {alreadyCount > 0 && `, ${counted(alreadyCount, 'line')} applied before`}.
        </p>
      </Notice>
      <Button autoFocus className="justify-self-end" onClick={onDone}>
        Done
      </Button>
    </div>
  )
}
