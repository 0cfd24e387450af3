const MORNING_HOUR = 9
const MONDAY = 1

/** When a snoozed conversation can come back, in this computer's time zone. */
export function snoozeTimes(now: Date): { label: string; until: Date }[] {
  const toMonday = (MONDAY - now.getDay() + 7) % 7 || 7
  return [
    { label: 'In 1 hour', until: new Date(now.getTime() + 3_600_000) },
    { label: 'Tomorrow', until: morningAfter(now, 1) },
    // On a Sunday, that is tomorrow.
    ...(toMonday > 1 ? [{ label: 'Monday', until: morningAfter(now, toMonday) }] : []),
  ]
}

function morningAfter(now: Date, days: number): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, MORNING_HOUR)
}
