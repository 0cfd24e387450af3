import { Eye, EyeOff } from 'lucide-react'
import { KeyButton } from '../shell/keys/KeyHint.tsx'
import type { Action } from '../shell/keys/key-table.ts'
import type { Reveal } from './use-reveal.ts'

interface RevealButtonProps {
  reveal: Reveal<unknown>
  action?: Action
}

export function RevealButton({ reveal, action = 'reveal' }: RevealButtonProps) {
  const { values, secondsLeft, toggle, isPending } = reveal
  const Icon = values ? EyeOff : Eye
  return (
    <span className="flex items-center gap-3">
      {values !== undefined && (
        <span aria-hidden="true" className="figures text-soft text-sm">
          {secondsLeft} s
        </span>
      )}
      <KeyButton
        action={action}
        variant="secondary"
        size="sm"
        loading={isPending}
        onClick={toggle}
        icon={<Icon />}
      >
        {values ? 'Hide' : 'Reveal'}
      </KeyButton>
    </span>
  )
}
