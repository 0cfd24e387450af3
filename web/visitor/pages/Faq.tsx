import { ButtonLink } from '#web/kit/Button.tsx'
import { PageTitle } from '#web/kit/PageTitle.tsx'
import { PageHeader, Panel } from '#web/kit/Panel.tsx'
import { paths } from '#web/words/paths.ts'
import { useWords } from '#web/words/words.ts'
import { QuestionList } from './QuestionList.tsx'
import { questionIds } from './questions.ts'

export default function Faq() {
  const t = useWords()
  return (
    <div className="measure grid grid-cols-1 gap-8 py-8 md:py-12">
      <PageTitle>{t('faq.title')}</PageTitle>
      <PageHeader title={t('faq.title')}>{t('faq.intro')}</PageHeader>
      <div className="grid grid-cols-1 items-start gap-10 lg:grid-cols-[minmax(0,1fr)_22rem] lg:gap-16">
        <QuestionList questions={questionIds} />
        <Panel aria-labelledby="more" className="grid gap-3 lg:sticky lg:top-22">
          <h2 id="more" className="text-xl">
            {t('faq.more.title')}
          </h2>
          <p className="text-soft">{t('faq.more.text')}</p>
          <div className="grid gap-3 pt-1 sm:flex sm:flex-wrap lg:grid">
            <ButtonLink to={paths.contact}>{t('faq.more.contact')}</ButtonLink>
            <ButtonLink to={paths.help} variant="secondary">
              {t('faq.more.help')}
            </ButtonLink>
          </div>
        </Panel>
      </div>
    </div>
  )
}
