import { landing } from '../../copy/landing.ts'

export function Claims() {
  return (
    <dl className="grid grid-cols-2 gap-x-10 gap-y-6 sm:flex sm:flex-wrap sm:justify-between border-line border-y py-8">
      {landing.claims.map(({ figure, text }) => (
        <div key={text} className="flex flex-col-reverse">
          <dt className="text-soft">{text}</dt>
          <dd className="figures font-semibold text-2xl">{figure}</dd>
        </div>
      ))}
    </dl>
  )
}
