import { landing } from '#web/words/landing.ts'

/** Rows on a phone, where five figures fill no grid; side by side from there on. */
export function Claims() {
  return (
    <dl className="border-line border-y max-sm:divide-y max-sm:divide-line sm:flex sm:flex-wrap sm:justify-between sm:gap-x-8 sm:gap-y-6 sm:py-8">
      {landing.claims.map(({ figure, text }) => (
        <div
          key={text}
          className="flex items-baseline justify-between gap-4 max-sm:py-3 sm:flex-col-reverse sm:gap-0"
        >
          <dt className="text-soft">{text}</dt>
          <dd className="figures font-semibold text-2xl max-sm:text-xl">{figure}</dd>
        </div>
      ))}
    </dl>
  )
}
