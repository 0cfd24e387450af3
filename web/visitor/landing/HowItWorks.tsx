import type { Ref } from 'react'
import { landing } from '#web/words/landing.ts'

export function HowItWorks({ ref }: { ref: Ref<HTMLElement> }) {
  return (
    <section ref={ref} id="how-it-works" aria-labelledby="how" className="grid scroll-mt-24 gap-8">
      <h2 id="how" className="text-3xl">
        {landing.howItWorks}
      </h2>
      <ol className="grid gap-8 sm:grid-cols-2 lg:grid-cols-4">
        {landing.steps.map(({ title, text }, index) => (
          <li key={title} className="thread relative flex gap-4 sm:grid sm:content-start">
            <span
              aria-hidden="true"
              className="figures grid size-9 shrink-0 place-items-center rounded-full bg-accent-quiet font-semibold text-accent"
            >
              {index + 1}
            </span>
            <div className="grid gap-1 pt-0.5">
              <h3 className="text-xl">{title}</h3>
              <p className="text-soft">{text}</p>
            </div>
          </li>
        ))}
      </ol>
    </section>
  )
}
