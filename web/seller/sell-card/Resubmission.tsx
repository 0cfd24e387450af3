import { useQuery } from '@tanstack/react-query'
import { ChevronDown, CircleAlert } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { PaymentMethod } from '#contract/payment-methods.ts'
import { routes } from '#contract/routes.ts'
import type { SellerSubmission } from '#contract/submissions.ts'
import { cardConditions, cardFormats } from '#domain/card.ts'
import { parseDollars } from '#domain/money.ts'
import { paymentTypesOn } from '#domain/payment-methods.ts'
import { adviceFor } from '#domain/resubmission.ts'
import { CardArt } from '#web/cards/CardArt.tsx'
import { cardName } from '#web/cards/text.ts'
import { Button, ButtonLink, TextLink } from '#web/kit/Button.tsx'
import { cx } from '#web/kit/cx.ts'
import { EmptyState } from '#web/kit/EmptyState.tsx'
import { Notice } from '#web/kit/Notice.tsx'
import { Panel } from '#web/kit/Panel.tsx'
import type { KeptPhoto } from '#web/kit/photos/use-photos.ts'
import { useSearchParams } from '#web/kit/router/index.ts'
import { SkeletonRows } from '#web/kit/Skeleton.tsx'
import { Time } from '#web/kit/Time.tsx'
import { callFile } from '#web/wire/call-file.ts'
import { read } from '#web/wire/read.ts'
import { serverNow } from '#web/wire/server-clock.ts'
import { paths, pathTo } from '#web/words/paths.ts'
import { Rich } from '#web/words/Rich.tsx'
import { shopBrand } from '#web/words/shop-brand.ts'
import { useWords } from '#web/words/words.ts'
import type { Key } from '#words/keys.ts'
import { intlLocales } from '#words/locales.ts'
import type { Translate } from '#words/translate.ts'
import { type Draft, emptyDraft } from './draft.ts'
import { ExamplePhoto } from './ExamplePhoto.tsx'
import { OpenChatButton } from './OpenChatButton.tsx'
import type { SaleStart } from './Sale.tsx'

/**
 * Sells a rejected card again: says what was wrong and how to submit it again. The form starts with what was entered before.
 * The numbers stay on the server.
 */
export function Resubmission({ id, brandName, children }: ResubmissionProps) {
  const t = useWords()
  const [address] = useSearchParams()
  // A reload stays in the form.
  const [anyway, setAnyway] = useState(address.get('step') === '2')
  const earlier = useQuery(read(routes.mySubmission, { params: { id } }))
  const methods = useQuery(read(routes.paymentMethods, {}))
  const photos = useQuery({
    queryKey: ['photos', earlier.data?.images],
    queryFn: () => (earlier.data ? fetchPhotos(earlier.data) : []),
  })
  if (earlier.isPending || methods.isPending || photos.isLoading) {
    return <SkeletonRows rows={3} label={t('sellCard.again.loading')} />
  }
  const heading = <Heading>{t('sellCard.heading.again', { card: cardName(brandName) })}</Heading>
  // If they cannot be loaded, the seller fills in the form, and the server decides.
  if (!earlier.data) {
    return (
      <>
        {heading}
        {children(undefined)}
      </>
    )
  }
  if (!earlier.data.resubmittable) {
    return (
      <EmptyState
        icon={<CardArt scene="sent" />}
        title={<h1>{t('resubmission.done')}</h1>}
        action={<ButtonLink to={paths.processing}>{t('resubmission.done.view')}</ButtonLink>}
      >
        {t('resubmission.done.text')}
      </EmptyState>
    )
  }
  const { canHelp } = adviceFor(earlier.data.reasonCode)
  const draft = toDraft(earlier.data, methods.data ?? [])
  return (
    <>
      {canHelp || anyway ? heading : <Heading>{t('appeal.options')}</Heading>}
      <Guidance card={earlier.data}>
        {canHelp || anyway ? (
          <p className="max-w-prose text-pretty">{whatIsLeft(t, earlier.data, draft)}</p>
        ) : (
          <Alternatives card={earlier.data} onAnyway={() => setAnyway(true)} />
        )}
      </Guidance>
      {(canHelp || anyway) &&
        children({
          draft,
          photos: photos.data ?? [],
          keptNumber: earlier.data.numbersKept ? earlier.data.cardNumber : undefined,
          pinGiven: earlier.data.pinGiven,
        })}
    </>
  )
}

/** Smaller than the amount, which matters more. */
const Heading = ({ children }: { children: string }) => (
  <h1 className="wrap-anywhere text-2xl lg:text-3xl">{children}</h1>
)

interface ResubmissionProps {
  id: string
  brandName: string
  /** The sale that starts with this draft. */
  children: (start: SaleStart | undefined) => ReactNode
}

/**
 * Why the card was rejected and what to do about it, with photos to compare. Above the form it is folded, because it was
 * read in the first step.
 */
function Guidance({ card: { statusReason, reasonCode }, children }: GuidanceProps) {
  const t = useWords()
  const [address] = useSearchParams()
  const { code, canHelp, examples } = adviceFor(reasonCode)
  const title = t(canHelp ? 'resubmission.title' : 'resubmission.title.noHelp')
  const adviceTitle = t(canHelp ? 'resubmission.advice' : 'resubmission.advice.noHelp')
  const photos = examples.length > 0 && (
    <ul aria-label={t('resubmission.examples')} className="grid max-w-md grid-cols-2 gap-3">
      {examples.map((example) => (
        <li key={example}>
          <ExamplePhoto example={example} />
        </li>
      ))}
    </ul>
  )
  const advice = <p className="max-w-prose text-pretty">{t(`resubmission.advice.${code}`)}</p>
  if (address.get('step') === '2') {
    return (
      <details className="group rounded-lg border border-line bg-surface">
        <summary className="flex min-h-14 list-none items-center gap-3 px-5 py-3 md:px-7 [&::-webkit-details-marker]:hidden">
          <CircleAlert aria-hidden="true" className="size-5 shrink-0 text-negative" />
          <span className="grid min-w-0 flex-1">
            <span className="font-semibold">{adviceTitle}</span>
            <span className="wrap-anywhere line-clamp-2 text-soft text-sm group-open:line-clamp-none">
              {statusReason ?? title}
            </span>
          </span>
          <ChevronDown
            aria-hidden="true"
            className="size-5 shrink-0 text-soft transition-transform group-open:rotate-180"
          />
        </summary>
        <div className={cx(twoColumns, 'px-5 pb-5 md:px-7 md:pb-7')}>
          {advice}
          {photos}
        </div>
      </details>
    )
  }
  return (
    <Panel aria-labelledby="resubmission" className={twoColumns}>
      <div className="grid gap-4">
        <h2 id="resubmission" className="text-xl">
          {title}
        </h2>
        {statusReason && (
          <Notice tone="negative" title={t('resubmission.reason')}>
            <p className="wrap-anywhere whitespace-pre-line">{statusReason}</p>
          </Notice>
        )}
        <div className="grid gap-1">
          <h3 className="text-base">{adviceTitle}</h3>
          {advice}
        </div>
        {children}
      </div>
      {photos}
    </Panel>
  )
}

const twoColumns = 'grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_24rem] lg:gap-10'

interface GuidanceProps {
  card: SellerSubmission
  children: ReactNode
}

/** Advice for a card that would be rejected again. */
function Alternatives({ card: { id, appealUntil }, onAnyway }: AlternativesProps) {
  const t = useWords()
  const canAppeal = appealUntil !== null && Date.parse(appealUntil) > serverNow()
  return (
    <div className="grid justify-items-start gap-4">
      {canAppeal && (
        <p className="text-sm">
          <Rich id="resubmission.mistake" tags={{ date: () => <Time at={appealUntil} /> }} />{' '}
          <TextLink to={pathTo('accountCard', { id })}>{t('resubmission.appeal')}</TextLink>
        </p>
      )}
      <OpenChatButton about={id} />
      <div className="flex flex-wrap gap-2">
        <ButtonLink to={paths.getQuote}>{t('resubmission.sellAnother')}</ButtonLink>
        <Button variant="quiet" onClick={onAnyway}>
          {t('resubmission.anyway')}
        </Button>
      </div>
    </div>
  )
}

interface AlternativesProps {
  card: SellerSubmission
  onAnyway: () => void
}

/**
 * The photos as the server has them. If a single photo was the reason for the rejection, it has to be taken again, and
 * several are marked: we do not know which one was rejected. A photo
 * that cannot be loaded is left out: the seller adds it.
 */
async function fetchPhotos({ images, reasonCode }: SellerSubmission): Promise<KeptPhoto[]> {
  const { code, asksForPhoto } = adviceFor(reasonCode)
  const isRejected = code === 'photo'
  if (images.length === 1 && isRejected) return []
  const earlier = isRejected ? ('rejected' as const) : asksForPhoto && ('fine' as const)
  const fetched = images.map(async (path, slot) => {
    const { bytes } = await callFile({ ...routes.myPhoto, path }, {})
    return { slot, earlier, file: new File([bytes], `${slot + 1}.jpg`, { type: bytes.type }) }
  })
  const settled = await Promise.allSettled(fetched)
  return settled.flatMap((photo) => (photo.status === 'fulfilled' ? [photo.value] : []))
}

/** What the form still needs. It keeps the rest. */
function whatIsLeft(t: Translate, earlier: SellerSubmission, { paymentMethodId }: Draft): string {
  const { code, asksForPhoto } = adviceFor(earlier.reasonCode)
  const steps: Key[] = []
  if (code === 'balance') steps.push('resubmission.step.value')
  if (!earlier.numbersKept)
    steps.push(earlier.pinGiven ? 'resubmission.step.numbers' : 'resubmission.step.number')
  if (asksForPhoto) steps.push('resubmission.step.photo')
  if (!paymentMethodId) steps.push('resubmission.step.account')
  const list = new Intl.ListFormat(intlLocales[t.locale])
  return steps.length > 0
    ? t('resubmission.left', { steps: list.format(steps.map((step) => t(step))) })
    : t('resubmission.kept')
}

/** The same payout as before: the saved method with that name, or else its type and name. */
function toDraft(earlier: SellerSubmission, methods: readonly PaymentMethod[]): Draft {
  const { paymentType: type, paymentAccountName } = earlier
  const saved = methods.find((method) => method.type === type && method.accountName === paymentAccountName)
  const paymentType = paymentTypesOn('submission', shopBrand.payoutMethods).find((known) => known === type)
  return {
    ...emptyDraft,
    cardFormat: cardFormats.find((known) => known === earlier.cardFormat) ?? emptyDraft.cardFormat,
    cardCondition:
      cardConditions.find((known) => known === earlier.cardCondition) ?? emptyDraft.cardCondition,
    balance: earlier.denomination,
    balanceOf: parseDollars(earlier.denomination) ?? 0,
    submissionNotes: earlier.notes ?? '',
    ...(saved?.isActive
      ? { paymentMethodId: saved.id }
      : { paymentMethodId: '', paymentType: paymentType ?? '', paymentAccountName }),
  }
}
