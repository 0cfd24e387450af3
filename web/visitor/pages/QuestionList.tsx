import { ChevronDown } from 'lucide-react'
import { useEffect } from 'react'
import { useLocation } from '#web/kit/router/index.ts'
import { useWords } from '#web/words/words.ts'
import { answerTo, type QuestionId } from './questions.ts'

/** Questions that expand. The one named by the address (`#fees`) starts expanded. */
export function QuestionList({ questions }: { questions: readonly QuestionId[] }) {
  const t = useWords()
  useOpenAtAnchor()
  return (
    <div className="divide-y divide-line border-line border-y">
      {questions.map((id) => (
        <details key={id} id={id} className="group scroll-mt-24">
          <summary className="flex min-h-14 list-none items-center gap-4 py-3 font-semibold text-lg hover:text-accent [&::-webkit-details-marker]:hidden">
            <span className="flex-1">{t(`faq.${id}.question`)}</span>
            <ChevronDown
              aria-hidden="true"
              className="size-5 shrink-0 text-soft transition-transform group-open:rotate-180"
            />
          </summary>
          <div className="grid max-w-prose gap-3 pb-5">
            {answerTo(id, t)
              .split('\n\n')
              .map((paragraph) => (
                <p key={paragraph}>{paragraph}</p>
              ))}
          </div>
        </details>
      ))}
    </div>
  )
}

/** Browsers scroll to the anchor themselves, but do not expand it. */
function useOpenAtAnchor(): void {
  // The key, too, because following the same link again should expand the question again.
  const { key, hash } = useLocation()
  useEffect(() => {
    const named = hash ? document.getElementById(hash.slice(1)) : null
    if (!(named instanceof HTMLDetailsElement)) return
    named.open = true
    named.scrollIntoView()
  }, [key, hash])
}
