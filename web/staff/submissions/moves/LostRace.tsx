import { Notice } from '../../../ui/Notice.tsx'
import { isLostRace } from './use-move.ts'

/** A move that came too late, told as what it is: the server's message says who was first, with what, and when. */
export function LostRace({ error }: { error: Error | null }) {
  if (!error || !isLostRace(error)) return null
  return (
    <Notice tone="caution" title={error.message} urgent>
      What you see is up to date again.
    </Notice>
  )
}
