import { landing } from '#web/words/landing.ts'

export function Payouts() {
  const { title, intro, methods } = landing.payouts
  return (
    <section
      aria-labelledby="payouts"
      className="grid grid-cols-1 gap-8 lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)] lg:gap-16"
    >
      <div className="grid content-start gap-3">
        <h2 id="payouts" className="text-3xl">
          {title}
        </h2>
        <p className="text-lg text-soft">{intro}</p>
      </div>
      <ul className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-line bg-line sm:grid-cols-3">
        {methods.map((method) => (
          <li key={method} className="bg-surface px-5 py-7 font-semibold text-lg">
            {method}
          </li>
        ))}
      </ul>
    </section>
  )
}
