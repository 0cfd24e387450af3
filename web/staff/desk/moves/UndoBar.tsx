import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { routes } from '#contract/routes.ts'
import type { StaffSubmission } from '#contract/staff-submissions.ts'
import { parseDollars, toDecimal } from '#domain/money.ts'
import { type Move, type Status, UNDO_SECONDS } from '#domain/submission.ts'
import { Money } from '#web/kit/Money.tsx'
import { createStore, useStore } from '#web/kit/store.ts'
import { toast } from '#web/kit/toast.ts'
import { call } from '#web/wire/call.ts'
import { toastFailure } from '#web/wire/errors.ts'
import { useWords } from '#web/words/words.ts'
import { cards } from '../../facts/stock-words.ts'
import { KeyButton } from '../../shell/keys/KeyHint.tsx'
import { useKeys } from '../../shell/keys/use-keys.ts'
import { keepSubmission } from '../../shell/submission-queries.ts'

interface UndoBarProps {
  /** Called with the id of the submission whose move was undone. */
  onUndone: (id: string) => void
}

/** Undoes the last decision while nobody has been emailed. It stays when the next submission opens. */
export function UndoBar(props: UndoBarProps) {
  const decision = useStore(lastDecision)
  useKeys(decision ? {} : { undo: sayNothingToUndo })
  return decision && <Undo key={decision.until} decision={decision} {...props} />
}

function Undo({ decision, onUndone }: UndoBarProps & { decision: Decision }) {
  const client = useQueryClient()
  const t = useWords()
  const { moved, to, what, quote, username, until } = decision
  const { mutate, isPending } = useMutation({
    mutationFn: () =>
      Promise.allSettled(
        moved.map(({ id, version }) => call(routes.undoMove, { params: { id }, body: { version } })),
      ),
    onSuccess: (answers) => {
      for (const answer of answers) if (answer.status === 'fulfilled') keepSubmission(client, answer.value)
      const refused = answers.find((answer) => answer.status === 'rejected')
      if (refused) sayFailed(refused.reason)
      else toast({ title: 'Decision Undone', description: `${what} from ${username}: undone.` })
      const [undone] = moved.filter((_, index) => answers[index]?.status === 'fulfilled')
      if (undone) onUndone(undone.id)
    },
    onSettled: () => lastDecision.set(undefined),
  })
  const seconds = useSecondsUntil(until, () => isPending || lastDecision.set(undefined))
  const undo = () => isPending || mutate()
  useKeys({ undo })
  return (
    <section
      aria-label="Last decision"
      data-undo
      className="flex items-center justify-between gap-3 rounded-lg border border-line bg-surface py-1.5 pr-1.5 pl-4 max-[1100px]:fixed max-[1100px]:inset-x-3 max-[1100px]:bottom-[calc(4.75rem+env(safe-area-inset-bottom))] max-[1100px]:z-20 max-[1100px]:shadow-raised"
    >
      <p role="status" className="grid min-w-0 text-sm leading-5">
        <span className="flex gap-x-1.5">
          <Money amount={quote} className="shrink-0 font-semibold" />{' '}
          <span className="truncate">{t(`staffStatuses.${to}`)}</span>
        </span>
        <span className="flex flex-wrap gap-x-1 text-soft *:max-w-full *:truncate">
          <span>{what}</span> <span>from {username}</span>
        </span>
      </p>
      <KeyButton action="undo" variant="secondary" size="sm" loading={isPending} onClick={undo}>
        Undo
        <span aria-hidden="true" className="figures whitespace-nowrap text-soft">
          {Math.max(0, seconds)} s
        </span>
      </KeyButton>
    </section>
  )
}

function sayNothingToUndo(): void {
  toast({
    title: 'Nothing to Undo',
    description: `A decision can be undone for ${UNDO_SECONDS} seconds after it was saved.`,
  })
}

const sayFailed = toastFailure('Undo Failed', 'The decision could not be undone.')

function useSecondsUntil(until: number, onOver: () => void): number {
  const [seconds, setSeconds] = useState(() => secondsUntil(until))
  const over = useEffectEvent(onOver)
  useEffect(() => {
    const timer = setInterval(() => {
      setSeconds(secondsUntil(until))
      if (Date.now() >= until) over()
    }, 250)
    return () => clearInterval(timer)
  }, [until])
  return seconds
}

function secondsUntil(time: number): number {
  return Math.ceil((time - Date.now()) / 1000)
}

interface Decision {
  /** With the versions that the moves made. */
  readonly moved: readonly StaffSubmission[]
  readonly to: Status
  /** The brand, or how many cards. */
  readonly what: string
  /** What the seller gets, in dollars. */
  readonly quote: string
  readonly username: string
  /** Milliseconds by this computer's clock. */
  readonly until: number
}

let last: Decision | undefined
const lastDecision = createStore<Decision | undefined>(
  () => last,
  (next) => {
    last = next
  },
)

/**
 * @param moved the cards of one seller
 * @param since when the time starts. The server counts from a little later, so the button is never shown too long
 */
export function offerUndo(moved: readonly StaffSubmission[], { to }: Move, since: number): void {
  const [first] = moved
  if (!first) return
  const what = moved.length === 1 ? first.brandName : cards(moved.length)
  const quote = toDecimal(moved.reduce((sum, { quote }) => sum + (parseDollars(quote) ?? 0), 0))
  lastDecision.set({
    moved,
    to,
    what,
    quote,
    username: first.user.username,
    until: since + UNDO_SECONDS * 1000,
  })
}
