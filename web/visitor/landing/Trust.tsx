import { ArrowRight, Eye, LockKeyhole, type LucideIcon, Route, Undo2 } from 'lucide-react'
import { Link } from '#web/kit/router/index.ts'
import { landing } from '#web/words/landing.ts'
import { paths } from '#web/words/paths.ts'

/** In the order of the copy. */
const icons: readonly LucideIcon[] = [LockKeyhole, Eye, Route, Undo2]

/** What happens to a card that is as good as cash: the question before every other. */
export function Trust() {
  const { title, intro, points, more } = landing.trust
  return (
    <section aria-labelledby="trust" className="grid gap-10 rounded-lg bg-deep p-6 text-on-deep md:p-12">
      <div className="grid max-w-2xl gap-3">
        <h2 id="trust" className="text-3xl">
          {title}
        </h2>
        <p className="text-lg text-on-deep/80">{intro}</p>
      </div>
      <ul className="grid gap-x-10 gap-y-8 sm:grid-cols-2">
        {points.map(({ title, text }, at) => {
          const Icon = icons[at] ?? LockKeyhole
          return (
            <li key={title} className="flex gap-4">
              <Icon aria-hidden="true" className="mt-0.5 size-6 shrink-0" />
              <div className="grid content-start gap-1">
                <h3 className="font-semibold text-lg">{title}</h3>
                <p className="text-on-deep/80">{text}</p>
              </div>
            </li>
          )
        })}
      </ul>
      <Link
        to={paths.security}
        className="inline-flex min-h-11 items-center gap-2 justify-self-start font-semibold underline underline-offset-4 hover:decoration-2 focus-visible:outline-current"
      >
        {more}
        <ArrowRight aria-hidden="true" className="size-4" />
      </Link>
    </section>
  )
}
