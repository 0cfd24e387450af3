import { useQueryClient } from '@tanstack/react-query'
import { Button } from '#web/kit/Button.tsx'
import { Notice } from '#web/kit/Notice.tsx'
import { askWhoAgain } from './session.ts'

/** Shown instead of a screen while the server does not answer who is signed in. */
export function Unreachable() {
  const client = useQueryClient()
  return (
    <div className="measure py-8 md:py-16">
      <Notice
        tone="caution"
        title="We can't reach the server"
        action={<Button onClick={() => void askWhoAgain(client)}>Try now</Button>}
      >
        This does not sign you out. We keep trying, and this page opens as soon as the server answers.
      </Notice>
    </div>
  )
}
