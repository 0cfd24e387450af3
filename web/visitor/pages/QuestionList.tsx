import { ChevronDown } from 'lucide-react'
import { useEffect } from 'react'
import { useLocation } from '#web/kit/router/index.ts'
import type { Question } from '#web/words/faq.ts'

/** Questions that open; one that the address names (`#fees`) is open already. */
export function QuestionList({ questions }: { questions: readonly Question[] }) {
  useOpenAtAnchor()
  return (
    <div className="divide-y divide-line border-line border-y">
      {questions.map(({ id, question, answer }) => (
        <details key={id} id={id} className="group scroll-mt-24">
          <summary className="flex min-h-14 list-none items-center gap-4 py-3 font-semibold text-lg hover:text-accent [&::-webkit-details-marker]:hidden">
            <span className="flex-1">{question}</span>
            <ChevronDown
              aria-hidden="true"
              className="size-5 shrink-0 text-soft transition-transform group-open:rotate-180"
            />
          </summary>
          <div className="grid max-w-prose gap-3 pb-5">
            {answer.map((paragraph) => (
              <p key={paragraph}>{paragraph}</p>
            ))}
          </div>
        </details>
      ))}
    </div>
  )
}

/** Browsers go to the anchor by themselves, but open only what they find inside of an answer. */
function useOpenAtAnchor(): void {
  // By its key too: the same address again is another wish to see it.
  const { key, hash } = useLocation()
  useEffect(() => {
    const named = hash ? document.getElementById(hash.slice(1)) : null
    if (!(named instanceof HTMLDetailsElement)) return
    named.open = true
    named.scrollIntoView()
  }, [key, hash])
}
