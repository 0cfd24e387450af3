import { Check } from 'lucide-react'
import { cx } from '#web/kit/cx.ts'

/** Where one is. */
export function Steps({ current, names }: { current: number; names: readonly string[] }) {
  return (
    <ol aria-label="Steps" className="flex flex-wrap gap-x-8 gap-y-2">
      {names.map((name, index) => {
        const step = index + 1
        const done = step < current
        return (
          <li
            key={name}
            aria-current={step === current ? 'step' : undefined}
            className={cx('flex items-center gap-2.5', step === current ? 'font-semibold' : 'text-soft')}
          >
            <span
              className={cx(
                'figures grid size-7 place-items-center rounded-full border font-semibold text-xs',
                step <= current ? 'border-accent bg-accent text-on-accent' : 'border-control',
              )}
            >
              {done ? <Check aria-hidden="true" className="size-4" /> : step}
            </span>
            {name}
            {done && <span className="sr-only">, done</span>}
          </li>
        )
      })}
    </ol>
  )
}
