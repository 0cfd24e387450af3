import { ButtonLink } from '#web/kit/Button.tsx'
import { PageTitle } from '#web/kit/PageTitle.tsx'
import { PageHeader } from '#web/kit/Panel.tsx'
import { faqCopy } from '#web/words/faq.ts'
import { paths } from '#web/words/paths.ts'
import { QuestionList } from './QuestionList.tsx'

export default function Faq() {
  const { title, intro, questions, more } = faqCopy
  return (
    <div className="measure grid grid-cols-1 gap-8 py-8 md:py-12">
      <PageTitle>{title}</PageTitle>
      <PageHeader title={title}>{intro}</PageHeader>
      <div className="grid max-w-3xl gap-10">
        <QuestionList questions={questions} />
        <section aria-labelledby="more" className="grid gap-3">
          <h2 id="more" className="text-2xl">
            {more.title}
          </h2>
          <p className="text-soft">{more.text}</p>
          <div className="flex flex-wrap gap-3">
            <ButtonLink to={paths.contact}>{more.contact}</ButtonLink>
            <ButtonLink to={paths.help} variant="secondary">
              {more.help}
            </ButtonLink>
          </div>
        </section>
      </div>
    </div>
  )
}
