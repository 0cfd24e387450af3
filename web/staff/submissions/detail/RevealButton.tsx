import { Eye, EyeOff } from 'lucide-react'
import { Button } from '#web/kit/Button.tsx'
import { KeyHint, useKeyShortcut } from '../../keys/KeyHint.tsx'
import type { Reveal } from './use-reveal.ts'

/** Shows the sealed values for a while; while it does, says for how long. */
export function RevealButton({ reveal: { values, secondsLeft, toggle, isPending } }: { reveal: Reveal }) {
  const Icon = values ? EyeOff : Eye
  return (
    <span className="flex items-center gap-3">
      {values && (
        <span aria-hidden="true" className="figures text-soft text-sm">
          {secondsLeft} s
        </span>
      )}
      <Button
        variant="secondary"
        size="sm"
        loading={isPending}
        onClick={toggle}
        aria-keyshortcuts={useKeyShortcut('reveal')}
        icon={<Icon aria-hidden="true" className="size-4" />}
      >
        {values ? 'Hide' : 'Reveal'} <KeyHint action="reveal" />
      </Button>
    </span>
  )
}
