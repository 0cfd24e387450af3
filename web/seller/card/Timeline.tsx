import { useQuery } from '@tanstack/react-query'
import { routes } from '#contract/routes.ts'
import type { HistoryEntry, SellerSubmission } from '#contract/submissions.ts'
import { inDollars } from '#domain/money.ts'
import { type Mover, sellerStatusOf } from '#domain/submission.ts'
import { statusLook } from '#web/cards/StatusBadge.tsx'
import { cx } from '#web/kit/cx.ts'
import { Dotted } from '#web/kit/Dotted.tsx'
import { Failure } from '#web/kit/Notice.tsx'
import { SkeletonRows } from '#web/kit/Skeleton.tsx'
import { Time } from '#web/kit/Time.tsx'
import { toneClass } from '#web/kit/tone.ts'
import { messageOf } from '#web/wire/errors.ts'
import { read } from '#web/wire/read.ts'
import { useWords } from '#web/words/words.ts'
import type { Key } from '#words/keys.ts'
import { intlLocales } from '#words/locales.ts'
import { returnedLook } from '../SellerBadge.tsx'

/** The history of a submission, oldest first, and who looked at its secrets. */
export function Timeline({ submission }: { submission: SellerSubmission }) {
  const t = useWords()
  const history = useQuery(read(routes.myHistory, { params: { id: submission.id } }))
  if (history.isPending) return <SkeletonRows rows={1} label={t('processing.history.loading')} />
  if (history.isError) {
    const message = messageOf(history.error, t('processing.history.failed'))
    return <Failure message={message} onRetry={() => history.refetch()} />
  }
  return (
    <div className="grid gap-6">
      <ol aria-label={t('processing.history')} className="grid">
        {history.data.map((entry) => (
          <Entry key={entry.at + entry.to} entry={entry} />
        ))}
      </ol>
      <Reveals id={submission.id} />
    </div>
  )
}

/** When staff looked at something encrypted, newest first. */
function Reveals({ id }: { id: string }) {
  const t = useWords()
  const { data } = useQuery(read(routes.myReveals, { params: { id } }))
  const list = new Intl.ListFormat(intlLocales[t.locale])
  if (!data) return null
  return (
    <section aria-label={t('processing.reveals')} className="grid gap-2 text-sm">
      <h3 className="font-medium">{t('processing.reveals')}</h3>
      <p className="text-soft">{t('processing.reveals.rule')}</p>
      {data.length === 0 && <p>{t('processing.reveals.none')}</p>}
      <ul className="grid gap-2">
        {data.filter(isNews).map(({ at, role, what }) => (
          <li key={at}>
            {t('processing.reveals.entry', {
              who: t(`processing.reveals.who.${role}`),
              what: list.format(what.map((part) => t(`processing.reveals.what.${part}`))),
            })}
            <span className="block text-soft">
              <Time at={at} as="dateTime" />
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

interface Reveal {
  readonly role: string
  readonly at: string
}

/** The balance service is asked twice if it does not answer, which is one entry. */
const isNews = ({ role, at }: Reveal, index: number, all: readonly Reveal[]) =>
  role !== 'balance_service' ||
  all[index - 1]?.role !== role ||
  Date.parse(all[index - 1]?.at ?? '') - Date.parse(at) > 60_000

/** The move, if the new status does not say it. */
const happened: Readonly<Partial<Record<HistoryEntry['move'], Key>>> = {
  submit: 'processing.history.submitted',
  start: 'statuses.label.approved',
  revert: 'statuses.label.approved',
  ask: 'processing.history.ask',
  answer: 'processing.history.answer',
  resume: 'processing.history.resume',
  offer: 'processing.history.offer',
  accept: 'processing.history.accept',
  decline: 'processing.history.decline',
  expire: 'processing.history.expire',
  rescind: 'processing.history.rescind',
  reject: 'statuses.label.rejected',
  appeal: 'processing.history.appeal',
  fail: 'processing.history.fail',
  return: 'processing.history.return',
  change_account: 'processing.history.account',
  recheck: 'processing.history.recheck',
}

const movers: Readonly<Partial<Record<string, Key>>> = {
  seller: 'processing.history.you',
  system: 'processing.history.system',
} satisfies Partial<Record<Mover, Key>>

/** Only a policy starts the processing without a person. */
function moverOf({ by, move }: HistoryEntry): Key {
  if (by === 'system' && move === 'start') return 'processing.history.policy'
  return movers[by] ?? 'processing.history.team'
}

function Entry({ entry }: { entry: HistoryEntry }) {
  const t = useWords()
  const { tone, icon: Icon } =
    entry.move === 'return' || entry.needsAccount ? returnedLook : statusLook(entry.to)
  return (
    <li className="group grid grid-cols-[2rem_1fr] gap-x-3">
      <span className="grid grid-rows-[auto_1fr] justify-items-center">
        <span className={cx('grid size-8 place-items-center rounded-full', toneClass[tone])}>
          <Icon aria-hidden="true" className="size-4" />
        </span>
        <span className="w-px bg-line group-last:hidden" />
      </span>
      <div className="grid gap-0.5 pb-5 group-last:pb-0">
        <p className="font-medium">
          {entry.needsAccount
            ? t('payoutStatus.badge.account')
            : t(happened[entry.move] ?? `statuses.text.${sellerStatusOf(entry.to)}`, {
                amount: inDollars(entry.amount ?? '0'),
              })}
        </p>
        <p className="text-soft text-sm">
          <Dotted>
            <Time at={entry.at} as="dateTime" />
            {t(moverOf(entry))}
          </Dotted>
        </p>
        {entry.images && (
          <p className="mt-1 text-soft text-sm">
            {t('processing.history.photos', { count: entry.images.length })}
          </p>
        )}
        {entry.reason && <p className="wrap-anywhere mt-1 whitespace-pre-line text-sm">{entry.reason}</p>}
      </div>
    </li>
  )
}
