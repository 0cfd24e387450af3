import { TextLink } from '#web/kit/Button.tsx'
import { PageTitle } from '#web/kit/PageTitle.tsx'
import { PageHeader } from '#web/kit/Panel.tsx'
import { faqCopy } from '#web/words/faq.ts'
import { helpCopy } from '#web/words/help.ts'
import { paths } from '#web/words/paths.ts'
import { AskPerson } from './AskPerson.tsx'
import { HelpSearch } from './HelpSearch.tsx'
import { HelpTopics } from './HelpTopics.tsx'
import { QuestionList } from './QuestionList.tsx'

export default function Help() {
  const { title, intro, topics, groups } = helpCopy
  return (
    <div className="measure grid grid-cols-1 gap-12 py-8 md:py-12">
      <PageTitle>{title}</PageTitle>
      <div className="grid gap-6">
        <PageHeader title={title}>{intro}</PageHeader>
        <div className="max-w-3xl">
          <HelpSearch />
        </div>
      </div>
      <HelpTopics title={topics} groups={groups} />
      <div className="grid grid-cols-1 items-start gap-12 lg:grid-cols-[minmax(0,1fr)_25rem]">
        <FrequentlyAsked />
        <AskPerson />
      </div>
    </div>
  )
}

function FrequentlyAsked() {
  const shown: readonly string[] = helpCopy.faq.shown
  return (
    <section aria-labelledby="asked" className="grid gap-4">
      <h2 id="asked" className="text-2xl">
        {helpCopy.faq.title}
      </h2>
      <QuestionList questions={faqCopy.questions.filter(({ id }) => shown.includes(id))} />
      <TextLink to={paths.faq} className="inline-flex min-h-11 items-center justify-self-start">
        {helpCopy.faq.all}
      </TextLink>
    </section>
  )
}
