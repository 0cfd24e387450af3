import { Time } from '#web/kit/Time.tsx'

/** A time in a column: the day, and below it the time of day. */
export function When({ at }: { at: string }) {
  return (
    <>
      <Time at={at} />
      <span className="block text-soft">
        <Time at={at} as="clock" />
      </span>
    </>
  )
}
