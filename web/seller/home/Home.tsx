import { useQuery } from '@tanstack/react-query'
import type { SellerHome } from '#contract/home.ts'
import { routes } from '#contract/routes.ts'
import type { SellerSubmission } from '#contract/submissions.ts'
import { TextLink } from '#web/kit/Button.tsx'
import { Failure } from '#web/kit/Notice.tsx'
import { PageTitle } from '#web/kit/PageTitle.tsx'
import { PageHeader } from '#web/kit/Panel.tsx'
import { SkeletonRows } from '#web/kit/Skeleton.tsx'
import { messageOf } from '#web/wire/errors.ts'
import { read } from '#web/wire/read.ts'
import { useSession } from '#web/wire/session.ts'
import { paths } from '#web/words/paths.ts'
import { useWords } from '#web/words/words.ts'
import { CardLink } from '../card/CardLink.tsx'
import { SellerNav } from '../SellerNav.tsx'
import { statusText } from '../status-text.ts'

/** The seller's home: what needs them, what is under way, and what was paid. */
export default function Home() {
  const t = useWords()
  const { user } = useSession()
  const home = useQuery(read(routes.myHome, {}))
  return (
    <div className="measure grid grid-cols-1 gap-8 py-8 md:py-12">
      <PageTitle>{t('account.title')}</PageTitle>
      <PageHeader title={t('account.hello', { name: user?.firstName || user?.username || '' })} />
      <SellerNav />
      {home.isPending && <SkeletonRows rows={3} label={t('account.loading')} />}
      {home.isLoadingError && (
        <Failure message={messageOf(home.error, t('account.failed'))} onRetry={() => void home.refetch()} />
      )}
      {home.data && <Lists home={home.data} />}
      <p>
        <TextLink to={paths.accountNotifications}>{t('account.notifications')}</TextLink>
      </p>
    </div>
  )
}

function Lists({ home: { needsYou, underWay, rejected, paid } }: { home: SellerHome }) {
  return (
    <>
      {[needsYou, underWay, rejected, paid].map(({ cards }, index) => (
        <Cards key={index} cards={cards} />
      ))}
    </>
  )
}

function Cards({ cards }: { cards: readonly SellerSubmission[] }) {
  const t = useWords()
  return (
    <ul className="divide-y divide-line rounded-lg border border-line bg-surface empty:hidden">
      {cards.map((card) => (
        <li key={card.id} className="p-4">
          <p className="font-medium">
            <CardLink card={card} />
          </p>
          <p className="text-soft text-sm">{statusText(t, card)}</p>
        </li>
      ))}
    </ul>
  )
}
