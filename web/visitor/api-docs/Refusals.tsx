import { type ErrorCode, errorMeanings, errorStatuses } from '#contract/errors.ts'
import { Code, Words } from './Words.tsx'

const codes = Object.keys(errorStatuses) as ErrorCode[]

/** What each code means; the calls name the ones that are theirs. */
export function Refusals() {
  return (
    <dl className="divide-y divide-line border-line border-y">
      {codes.map((code) => (
        <div
          key={code}
          id={`refusal-${code}`}
          className="grid gap-x-6 gap-y-0.5 py-2.5 md:grid-cols-[16rem_1fr]"
        >
          <dt className="flex items-baseline gap-3">
            <span className="figures text-soft">{errorStatuses[code]}</span>
            <Code>{code}</Code>
          </dt>
          <dd className="text-soft">
            <Words>{errorMeanings[code]}</Words>
          </dd>
        </div>
      ))}
    </dl>
  )
}
