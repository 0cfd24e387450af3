import { and, eq } from 'drizzle-orm'
import { toDollars } from '#domain/money.ts'
import { type NotificationKind, noticeOfMove, noticeOfPayout } from '#domain/notifications.ts'
import { OFFER_HOURS } from '#domain/submission.ts'
import type { Database } from '#server/platform/database/pool.ts'
import { chatThreads, giftCards, payouts, statusHistory } from '#server/platform/database/schema.ts'
import type { PushNews } from '#server/platform/jobs/jobs.ts'
import { cardNameIn } from '#words/card-name.ts'
import type { Translate } from '#words/translate.ts'

/** What a notification shows. It stays on locked screens, so it never has card numbers, accounts or messages in it. */
interface ComposedNews {
  readonly kind: NotificationKind
  readonly title: string
  readonly body: string
  /** News about the same thing have the same topic: the newest replaces the others. */
  readonly topic: string
  /** What a press on the notification opens, in English. */
  readonly path: string
}

/** Writes the news. Undefined if they are old: something has happened since, or the seller has read them. */
export async function composeNews(
  db: Database,
  t: Translate,
  news: PushNews,
): Promise<ComposedNews | undefined> {
  if (news.about === 'move') return aboutMove(db, t, news)
  if (news.about === 'payout') return aboutPayout(db, t, news)
  return aboutReply(db, t, news)
}

type About<Name extends PushNews['about']> = Extract<PushNews, { about: Name }>

async function aboutMove(db: Database, t: Translate, { giftCardId, version }: About<'move'>) {
  const [found] = await db
    .select({ card: giftCards, entry: statusHistory })
    .from(giftCards)
    .innerJoin(statusHistory, eq(statusHistory.giftCardId, giftCards.id))
    .where(
      and(eq(giftCards.id, giftCardId), eq(giftCards.version, version), eq(statusHistory.version, version)),
    )
  const { move, amount } = found?.entry ?? {}
  if (!found || !move) return undefined
  const { kind } = noticeOfMove(move)
  const name = pushedMoves.find((pushed) => pushed === (move === 'approve' ? 'complete' : move))
  if (kind === 'receipt' || !name) return undefined
  const values = {
    card: cardName(t, found.card),
    amount: toDollars(amount ?? found.card.sellingPrice),
    hours: OFFER_HOURS,
  }
  return {
    kind,
    title: t(`push.${name}.title`, values),
    body: t(`push.${name}.text`, values),
    ...aboutCard(giftCardId),
  }
}

/** The moves that have texts: all that sellers do not make themselves. */
const pushedMoves = [
  'ask',
  'resume',
  'offer',
  'rescind',
  'expire',
  'start',
  'reject',
  'revert',
  'complete',
  'fail',
] as const

async function aboutPayout(db: Database, t: Translate, { payoutId, event }: About<'payout'>) {
  const [found] = await db
    .select({ card: giftCards, payout: payouts })
    .from(payouts)
    .innerJoin(giftCards, eq(giftCards.id, payouts.giftCardId))
    .where(eq(payouts.id, payoutId))
  if (!found || (event === 'sent' && ['returned', 'void'].includes(found.payout.state))) return undefined
  const { kind } = noticeOfPayout(event)
  if (kind === 'receipt') return undefined
  const { entryCount: count, entryTotal, amount } = found.payout
  const values = {
    card: count === null ? cardName(t, found.card) : t('push.cards', { count }),
    amount: toDollars(entryTotal ?? amount),
  }
  return {
    kind,
    title: t(`push.${event}.title`, values),
    body: t(`push.${event}.text`, values),
    ...aboutCard(found.card.id),
  }
}

async function aboutReply(db: Database, t: Translate, { threadId, number }: About<'reply'>) {
  const [thread] = await db.select().from(chatThreads).where(eq(chatThreads.id, threadId))
  // A later reply has its own push.
  if (!thread || thread.customerReadNumber >= number || thread.lastMessageNumber > number) return undefined
  return {
    kind: 'reply',
    title: t('push.reply.title'),
    body: t('push.reply.text'),
    topic: 'chat',
    path: '/processing?chat=open',
  } as const
}

/** The seller typed the name of an unlisted brand, so it may be anything. */
function cardName(t: Translate, { brandName, unlistedBrand }: typeof giftCards.$inferSelect): string {
  return unlistedBrand ? t('push.cardUnnamed') : t('push.card', { card: cardNameIn(t, brandName) })
}

function aboutCard(id: string): Pick<ComposedNews, 'topic' | 'path'> {
  return { topic: id.replaceAll('-', ''), path: `/account/card?id=${id}` }
}
