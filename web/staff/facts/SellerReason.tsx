import { useQuery } from '@tanstack/react-query'
import { Undo2 } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { failureOf } from '#domain/failure.ts'
import { toDollars } from '#domain/money.ts'
import { type ReasonCode, reasonCategoriesFor } from '#domain/reasons.ts'
import { adviceFor } from '#domain/resubmission.ts'
import { type Move, type MoveName, statusRules } from '#domain/submission.ts'
import { StatusBadge } from '#web/cards/StatusBadge.tsx'
import { Badge } from '#web/kit/Badge.tsx'
import { cx } from '#web/kit/cx.ts'
import { loadTranslate, translate, useWords } from '#web/words/words.ts'
import type { Locale } from '#words/locales.ts'
import type { Translate } from '#words/translate.ts'
import { ReasonField } from './action-fields.tsx'
import { languages } from './badges.tsx'
import { ReasonPicker } from './ReasonPicker.tsx'

const texts = {
  reason: {
    label: 'Reason',
    missing: 'reason_required',
    hint: 'Choose a reason, edit it, or write your own. Edited texts are not translated',
  },
  offer: {
    label: 'Reason',
    missing: 'reason_required',
    hint: 'The seller reads it beside the new price',
  },
  question: {
    label: 'Question to the seller',
    missing: 'question_required',
    hint: 'Choose a question, edit it, or write your own. Edited texts are not translated',
  },
  /** The only optional text. */
  revert: {
    label: 'Reason',
    missing: undefined,
    hint: 'The seller sees it too, in the history',
  },
} as const

/** The text to the seller that a move asks for, or undefined if it asks for none. */
export function textOf({ needs, name }: Move) {
  if (needs === 'reason' || needs === 'offer' || needs === 'question') return texts[needs]
  return name === 'revert' ? texts.revert : undefined
}

interface SellerReasonProps {
  move: Move
  /** The slug of the card's brand, if the text is about one brand. */
  brand?: string | undefined
  seller: { username: string; locale: Locale }
  /** What the seller is offered, or gets for the card, in cents. Undefined while it is not valid. */
  amount: number | undefined
  /** As typed. */
  text: string
  field: Omit<ComponentProps<typeof ReasonField>, 'label'>
  onPick: (text: string) => void
  /** What else the move does, above what the seller will see. */
  children?: ReactNode
}

/** The text of a move to the seller, picked from a list or written, beside what the seller will see. */
export function SellerReason({
  move,
  brand,
  seller,
  amount,
  text,
  field,
  onPick,
  children,
}: SellerReasonProps) {
  const asked = textOf(move)
  if (!asked) return null
  const { locale, username } = seller
  const code = move.needs && findReason(move.name, text.trim())
  return (
    <div className={cx('grid gap-5', move.needs && 'md:grid-cols-[3fr_2fr]')}>
      {move.needs && (
        <ReasonPicker
          move={move.name}
          brand={brand}
          noun={move.needs === 'question' ? 'question' : 'reason'}
          autoFocus={move.needs !== 'offer'}
          onPick={onPick}
        />
      )}
      <div className="grid content-start gap-4">
        <ReasonField
          label={asked.label}
          does="send"
          optional={asked.missing === undefined}
          rows={2}
          hint={asked.hint}
          autoFocus={!move.needs}
          {...field}
        />
        {locale !== 'en' && !code && (
          <p className="text-sm">
            {username} reads {languages[locale]}. Your own text is sent as you wrote it.
          </p>
        )}
        {children}
        {move.needs && <SellerSees {...{ move, amount, code, locale }} text={text.trim()} />}
      </div>
    </div>
  )
}

/** The listed reason with this text. Its seller reads it in their own language. */
export function findReason(move: MoveName, text: string): ReasonCode | undefined {
  const t = translate()
  const codes: readonly ReasonCode[] = reasonCategoriesFor(move).flatMap(({ reasons }) => reasons)
  return codes.find((code) => t(`reasons.text.${code}`) === text)
}

interface SellerSeesProps extends Pick<SellerReasonProps, 'move' | 'amount' | 'text'> {
  /** If the text is a listed reason. */
  code: ReasonCode | undefined
  locale: Locale
}

function SellerSees(props: SellerSeesProps) {
  const { move, text, code, locale } = props
  const t = useSellerWords(locale)
  const { sellerStatus } = statusRules[move.to]
  const sentence = sentenceOf(t, props)
  const failure = failureOf({ status: text && move.to, reasonCode: code ?? null })
  const badge =
    failure === 'account' ? (
      <Badge tone="caution" icon={Undo2}>
        {t('payoutStatus.badge.account')}
      </Badge>
    ) : (
      <StatusBadge status={sellerStatus} label={t(`statuses.label.${sellerStatus}`)} />
    )
  return (
    <SellerPreview
      {...{ badge, sentence }}
      locale={t.locale}
      text={code ? t(`reasons.text.${code}`) : text}
      isTranslated={code !== undefined}
    />
  )
}

interface SellerPreviewProps {
  badge: ReactNode
  sentence: string | undefined
  /** The reason. Empty if nothing is written. */
  text: string
  /** The language of the badge and the sentence. */
  locale: Locale
  /** The text is in that language, too. */
  isTranslated?: boolean
}

/** The badge of the card, and what the seller reads beside it. */
export function SellerPreview({ badge, sentence, text, locale, isTranslated }: SellerPreviewProps) {
  return (
    <section aria-label="What the seller will see" className="grid gap-2">
      <p className="font-medium text-sm">What the seller will see</p>
      <div className="grid justify-items-start gap-2 rounded-md bg-sunken p-4">
        <div lang={locale} className="contents">
          {badge}
          {sentence && <p className="font-medium">{sentence}</p>}
        </div>
        {text ? (
          <p
            lang={isTranslated ? locale : undefined}
            className="max-w-full whitespace-pre-line text-sm wrap-anywhere"
          >
            {text}
          </p>
        ) : (
          <p className="text-soft text-sm italic">Nothing written yet</p>
        )}
      </div>
    </section>
  )
}

/** What the seller reads on the card's page. Needs the reason, which decides what the seller can do about it. */
function sentenceOf(t: Translate, { move, amount, text, code }: SellerSeesProps): string | undefined {
  const { sellerStatus } = statusRules[move.to]
  if (move.needs === 'offer') {
    return amount === undefined ? undefined : t('statuses.text.offer', { amount: toDollars(amount) })
  }
  if (move.needs === 'reason' && !text) return undefined
  if (move.to === 'rejected' && adviceFor(code ?? null).canHelp) return t('statuses.text.fixable')
  const failure = failureOf({ status: move.to, reasonCode: code ?? null })
  if (failure === 'account' && amount !== undefined) {
    return t('payoutStatus.failed', { amount: toDollars(amount) })
  }
  return t(`statuses.text.${sellerStatus}`)
}

/** The texts in the seller's language. In that of the page until they are loaded. */
export function useSellerWords(locale: Locale) {
  const own = useWords()
  const { data } = useQuery({
    queryKey: ['words', locale],
    queryFn: () => loadTranslate(locale, 'staff'),
    enabled: locale !== own.locale,
  })
  return data ?? own
}
