import { useQuery } from '@tanstack/react-query'
import { ChevronRight } from 'lucide-react'
import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { routes } from '#contract/routes.ts'
import { Link } from '#web/kit/router/index.ts'
import { read } from '#web/wire/read.ts'
import { paths } from '#web/words/paths.ts'
import { useWords } from '#web/words/words.ts'

/** A link at the top of the landing page that says how many cards wait for the seller. Empty if there are none. */
export function NeedsYou() {
  const t = useWords()
  const [slot, setSlot] = useState<HTMLElement | null>(null)
  // The landing page is in the document once this effect runs, but not while this component first renders.
  useEffect(() => setSlot(document.getElementById('needs-you')), [])
  const count = useWaitingCards()
  if (!slot || count === 0) return null
  return createPortal(
    <section data-strip aria-label={t('account.settings')} className="bg-accent-quiet text-accent">
      <Link
        to={paths.account}
        className="measure flex min-h-10 items-center gap-1 font-semibold text-sm underline-offset-4 hover:underline focus-visible:-outline-offset-2 md:min-h-14"
      >
        {t('site.nav.needsYou', { count })}
        <ChevronRight aria-hidden="true" className="size-4 shrink-0" />
      </Link>
    </section>,
    slot,
  )
}

/** How many cards wait for the seller. */
export function useWaitingCards(): number {
  return useQuery(read(routes.myHome, {})).data?.needsYou.count ?? 0
}
