import { useWords } from '#web/words/words.ts'

/** Skips the navigation. The first stop of the Tab key; leads to the element with the id "content". */
export function SkipLink() {
  const t = useWords()
  return (
    <a
      href="#content"
      className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:rounded-md focus:bg-surface focus:p-3"
    >
      {t('site.skipToContent')}
    </a>
  )
}
