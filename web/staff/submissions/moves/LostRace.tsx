import { Banner } from '../detail/Banner.tsx'
import type { Meanwhile } from './use-meanwhile.ts'

/** A move of somebody else's that crossed the work on this submission, told as what it is. */
export function LostRace({ meanwhile: { story } }: { meanwhile: Meanwhile }) {
  if (!story) return null
  return (
    <Banner tone="caution" title={story} urgent>
      What you see is up to date again.
    </Banner>
  )
}
