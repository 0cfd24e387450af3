import type { Claim } from '#contract/staff-submissions.ts'

/** Whoever has a submission now; a claim that was not kept in time is none. */
export function holderAt(claim: Claim | null, now: number): Claim | undefined {
  return claim && Date.parse(claim.until) > now ? claim : undefined
}

/**
 * Which of two claims of a submission is the later one. The answer to a call may come after the live channel
 * has told what happened next; giving a claim back is told by the channel alone.
 */
export function laterClaim(known: Claim | null, told: Claim | null): Claim | null {
  if (!known || !told) return told
  return Date.parse(told.since) >= Date.parse(known.since) ? told : known
}
