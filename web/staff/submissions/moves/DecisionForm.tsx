import { type FormEvent, type KeyboardEvent, useRef, useState } from 'react'
import { Button } from '#web/kit/Button.tsx'
import { Form } from '#web/kit/Form.tsx'
import { TextArea } from '#web/kit/TextField.tsx'
import { ClaimNotice } from '../claims/ClaimNotice.tsx'
import type { DecisionProps } from './DecisionDialog.tsx'
import { moveLabel } from './move-label.ts'
import { ReasonPicker } from './ReasonPicker.tsx'
import { SellerSees } from './SellerSees.tsx'
import { useFocus } from './use-focus.ts'
import { isLostRace } from './use-move.ts'

const words = {
  reason: { label: 'Reason', missing: 'A reason is required', rows: 4 },
  question: {
    label: 'Question to the seller',
    missing: 'Please write the question to the seller',
    rows: 5,
  },
} as const

/** As long as the server takes it. */
const LONGEST = 2000

export function DecisionForm({ move, decision, claim, onClose }: DecisionProps) {
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string>()
  const question = useFocus<HTMLTextAreaElement>()
  const confirm = useRef<HTMLButtonElement>(null)
  const { label, missing, rows } = words[move.needs ?? 'reason']

  function submit(event?: FormEvent) {
    event?.preventDefault()
    if (decision.isPending || claim.other) return
    if (text.trim() === '') return setProblem(missing)
    decision.decide({ move, reason: text.trim() }, (error) => {
      // After a lost race there is nothing left to confirm here: what is shown is another state.
      if (!error || isLostRace(error)) onClose()
      else setProblem(error.message)
    })
  }

  function change(next: string) {
    setText(next)
    setProblem(undefined)
  }

  const area = (
    <TextArea
      label={label}
      rows={rows}
      maxLength={LONGEST}
      value={text}
      error={problem}
      hint={move.needs === 'reason' ? 'Choose one, change it, or write your own' : 'Ctrl + Enter sends it'}
      onChange={(event) => change(event.currentTarget.value)}
      onKeyDown={(event) => isSend(event) && submit()}
      {...(move.needs === 'question' && { ref: question })}
    />
  )
  return (
    <Form onSubmit={submit}>
      <ClaimNotice claim={claim} />
      {move.needs === 'reason' ? (
        <div className="grid gap-5 md:grid-cols-2">
          <ReasonPicker
            onPick={(reason) => {
              change(reason)
              confirm.current?.focus()
            }}
          />
          <div className="grid content-start gap-5">
            {area}
            <SellerSees status={move.to} text={text} />
          </div>
        </div>
      ) : (
        <>
          {area}
          <SellerSees status={move.to} text={text} />
        </>
      )}
      <footer className="flex flex-col-reverse gap-2 md:flex-row md:justify-end">
        <Button variant="secondary" onClick={onClose}>
          Cancel
        </Button>
        <Button
          ref={confirm}
          type="submit"
          variant={move.needs === 'reason' ? 'danger' : 'primary'}
          loading={decision.isPending}
          aria-disabled={text.trim() === '' || claim.other !== undefined || undefined}
        >
          {moveLabel(move)}
        </Button>
      </footer>
    </Form>
  )
}

function isSend({ key, ctrlKey, metaKey }: KeyboardEvent): boolean {
  return key === 'Enter' && (ctrlKey || metaKey)
}
