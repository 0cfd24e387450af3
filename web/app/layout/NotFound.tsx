import { CardArt } from '#web/cards/CardArt.tsx'
import { ButtonLink } from '#web/kit/Button.tsx'
import { PageTitle } from '#web/kit/PageTitle.tsx'
import { paths } from '#web/words/paths.ts'
import { useWords } from '#web/words/words.ts'

export default function NotFound() {
  const t = useWords()
  return (
    <div className="measure grid min-h-[60dvh] place-items-center py-16">
      <PageTitle>{t('site.notFound.title')}</PageTitle>
      <div className="grid max-w-md justify-items-center gap-4 text-center">
        <CardArt scene="lost" className="mb-8 h-32 w-auto" />
        <p className="figures font-semibold text-soft">404</p>
        <h1 className="text-3xl">{t('site.notFound.heading')}</h1>
        <p className="text-balance text-lg text-soft">{t('site.notFound.text')}</p>
        <div className="flex flex-wrap justify-center gap-2 pt-2">
          <ButtonLink to={paths.home}>{t('site.notFound.home')}</ButtonLink>
          <ButtonLink to={paths.getQuote} variant="secondary">
            {t('site.nav.getQuote')}
          </ButtonLink>
        </div>
      </div>
    </div>
  )
}
