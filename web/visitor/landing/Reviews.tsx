import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { routes } from '#contract/routes.ts'
import { MAX_RATING } from '#domain/review.ts'
import { Stars } from '#web/kit/Stars.tsx'
import { read } from '#web/wire/read.ts'
import { useWords } from '#web/words/words.ts'
import { intlLocales } from '#words/locales.ts'

/**
 * What sellers wrote after their payout. Without enough approved reviews, nothing. Fetched shortly before it is in view: most
 * visitors do not scroll down to it.
 */
export function Reviews() {
  const t = useWords()
  const mark = useRef<HTMLDivElement>(null)
  const [isNear, setNear] = useState(false)
  useEffect(() => {
    if (!mark.current) return
    const watch = ([entry]: IntersectionObserverEntry[]) => entry?.isIntersecting && setNear(true)
    const observer = new IntersectionObserver(watch, { rootMargin: '800px' })
    observer.observe(mark.current)
    return () => observer.disconnect()
  }, [])
  const { data = [] } = useQuery({ ...read(routes.shownReviews, {}), enabled: isNear })
  // Takes back the gap between two sections of the page.
  if (data.length === 0) return <div ref={mark} className="-mt-20 md:-mt-24" />
  const months = new Intl.DateTimeFormat(intlLocales[t.locale], {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  })
  return (
    <section aria-labelledby="reviews" className="grid gap-8">
      <h2 id="reviews" className="text-3xl">
        {t('landing.reviews.title')}
      </h2>
      <ul className="grid gap-x-10 gap-y-8 md:grid-cols-3">
        {data.map(({ id, rating, comment, firstName, locale, month }) => (
          <li key={id} className="grid content-start gap-3 border-line border-t pt-5">
            <Stars rating={rating} label={t('landing.reviews.stars', { rating, maximum: MAX_RATING })} />
            <blockquote
              lang={locale === t.locale ? undefined : locale}
              className="wrap-anywhere whitespace-pre-line text-lg text-pretty"
            >
              {comment}
            </blockquote>
            <p className="text-soft">
              {firstName} · {months.format(new Date(month))}
              {locale !== t.locale && <> · {t(`landing.reviews.in.${locale}`)}</>}
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}
