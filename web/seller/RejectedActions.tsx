import { Suspense, useState } from 'react'
import type { SellerSubmission } from '#contract/submissions.ts'
import { isFixable } from '#domain/resubmission.ts'
import { cardName } from '#web/cards/text.ts'
import { Button, ButtonLink, TextLink } from '#web/kit/Button.tsx'
import { Dialog } from '#web/kit/Dialog.tsx'
import { lazyComponent } from '#web/kit/lazy-component.ts'
import { SkeletonRows } from '#web/kit/Skeleton.tsx'
import { Time } from '#web/kit/Time.tsx'
import { serverNow } from '#web/wire/server-clock.ts'
import { pathTo } from '#web/words/paths.ts'
import { Rich } from '#web/words/Rich.tsx'
import { useWords } from '#web/words/words.ts'
import { keepTyped } from '../chat/typed-text.ts'

// Loaded with the dialog, because few cards are rejected.
const AppealForm = lazyComponent(() => import('./AppealForm.tsx').then((module) => module.AppealForm))

/** What the seller of a rejected card can do: submit it again if that can help, or else appeal for some days. */
export function RejectedActions({ card, inList = false }: { card: RejectedCard; inList?: boolean }) {
  const t = useWords()
  const [appealing, setAppealing] = useState(false)
  const { brandName, appealUntil } = card
  const canAppeal = isAppealable(card)
  /** A reload or Back keeps what was typed; closing the dialog does not. */
  function close() {
    keepTyped(card.id, '')
    setAppealing(false)
  }
  if (card.resubmission) {
    return (
      <p className="text-sm">
        <Rich
          id="appeal.sentAgain"
          tags={{ date: () => <Time at={card.resubmission?.createdAt ?? ''} as="day" /> }}
        />{' '}
        <TextLink to={pathTo('accountCard', { id: card.resubmission.id })}>
          {t('appeal.sentAgain.link')}
        </TextLink>
      </p>
    )
  }
  return (
    <>
      {(canAppeal || card.resubmittable) && (
        <div className="flex flex-wrap items-center gap-2 max-sm:*:grow">
          {card.resubmittable && (
            <ButtonLink
              size="sm"
              variant={isFixable(card) && !inList ? 'primary' : 'secondary'}
              to={resubmissionPath(card)}
            >
              {t(isFixable(card) ? 'appeal.again' : 'appeal.options')}
            </ButtonLink>
          )}
          {canAppeal && (
            <Button
              size="sm"
              variant={isFixable(card) ? 'quiet' : 'secondary'}
              onClick={() => setAppealing(true)}
            >
              {t('appeal.open')}
            </Button>
          )}
          {canAppeal && (
            <p className="w-full text-soft text-sm">
              <Rich id="appeal.until" tags={{ date: () => <Time at={appealUntil ?? ''} /> }} />
            </p>
          )}
        </div>
      )}
      <Dialog
        open={appealing}
        onOpenChange={(next) => !next && close()}
        title={t('appeal.title', { card: cardName(brandName) })}
        description={t('appeal.text')}
      >
        <Suspense fallback={<SkeletonRows rows={3} label={t('appeal.loading')} />}>
          <AppealForm card={card} onClose={close} />
        </Suspense>
      </Dialog>
    </>
  )
}

/** Whether a rejected card waits for the seller, who can correct it or appeal. */
export const canCorrect = (card: SellerSubmission) =>
  card.status === 'rejected' && !card.resubmission && (isFixable(card) || isAppealable(card))

const isAppealable = ({ appealUntil }: Pick<SellerSubmission, 'appealUntil'>) =>
  appealUntil !== null && Date.parse(appealUntil) > serverNow()

/** The form that submits a rejected card again. */
export const resubmissionPath = ({
  id,
  brand,
  denomination: value,
  amount: quote,
}: Pick<RejectedCard, 'id' | 'brand' | 'denomination' | 'amount'>) =>
  pathTo('sellCard', { brand, value, quote, resubmissionOf: id })

interface RejectedCard
  extends Pick<
    SellerSubmission,
    | 'id'
    | 'brand'
    | 'brandName'
    | 'denomination'
    | 'statusReason'
    | 'reasonCode'
    | 'appealUntil'
    | 'resubmittable'
    | 'resubmission'
  > {
  /** Dollars that were quoted. */
  amount: string
}
