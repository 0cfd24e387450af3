import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { routes } from '#contract/routes.ts'
import { showCount } from '#domain/counting.ts'
import { type View, views } from '#domain/queue.ts'
import { cx } from '#web/kit/cx.ts'
import { Link } from '#web/kit/router/index.ts'
import { read } from '#web/wire/read.ts'
import { useView } from './use-view.ts'

const viewLabels: Readonly<Record<View, string>> = {
  review: 'Needs review',
  waiting: 'Waiting for seller',
  offered: 'Offered',
  pay: 'To pay',
  done: 'Done',
  all: 'All',
}

/** The views of the desk with the number of submissions in each. */
export function Views() {
  const { view, linkTo } = useView()
  const { data: counts } = useQuery(read(routes.queue, {}))
  const nav = useRef<HTMLElement>(null)
  useEffect(() => {
    // A phone shows only some of them. Not `scrollIntoView`, from which Tab would then go on.
    const link = nav.current?.querySelector<HTMLElement>('[aria-current]')
    if (link)
      nav.current?.scrollTo({ left: link.offsetLeft - (nav.current.clientWidth - link.clientWidth) / 2 })
  }, [view.view, counts])
  return (
    <nav
      ref={nav}
      aria-label="Views"
      // On phones it fades at the end, where more of them may follow. The last one is not in the fade.
      className="-m-1 relative flex min-w-0 gap-1 overflow-x-auto p-1 max-sm:pr-8 max-sm:mask-r-from-[calc(100%-2rem)] sm:flex-wrap"
    >
      {views.map((name) => (
        <Link
          key={name}
          // A status may belong to another view.
          to={linkTo({ view: name, status: undefined })}
          replace
          aria-current={name === view.view ? 'true' : undefined}
          className={cx(
            'flex min-h-11 items-center gap-2 whitespace-nowrap rounded-md px-3 font-medium sm:max-lg:gap-1 sm:max-lg:px-1.5 sm:max-lg:text-sm md:min-h-9',
            name === view.view ? 'bg-accent-quiet text-accent' : 'text-soft hover:bg-sunken hover:text-ink',
          )}
        >
          {viewLabels[name]}
          {counts && <span className="figures font-normal text-sm">{showCount(counts[name])}</span>}
        </Link>
      ))}
    </nav>
  )
}
