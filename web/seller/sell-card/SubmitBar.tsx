import { useId } from 'react'
import { Button, ButtonLink } from '#web/kit/Button.tsx'
import { FieldWarning } from '#web/kit/Field.tsx'
import { Progress } from '#web/kit/Progress.tsx'
import { useWords } from '#web/words/words.ts'
import { intlLocales } from '#words/locales.ts'
import type { UploadState } from './sale-entry.ts'

/**
 * Submit can be pressed while something is missing, and then says what. Cancel stops an upload. It disappears once
 * everything is uploaded, because the card may then have been accepted.
 */
export function SubmitBar({
  label,
  unready,
  isReady,
  missing,
  isWarned,
  isPreparing,
  progress,
  cancelTo,
}: SubmitBarProps) {
  const t = useWords()
  const id = useId()
  const incomplete = !isReady || missing.length > 0
  const list = new Intl.ListFormat(intlLocales[t.locale], { type: 'unit', style: 'short' })
  return (
    <div className="grid gap-3">
      {progress && <UploadProgress {...progress} />}
      <div className="flex flex-col-reverse gap-3 sm:flex-row sm:items-start sm:justify-between">
        {!(progress && !progress.stop) && (
          <ButtonLink to={cancelTo} variant="secondary" size="lg" onClick={progress?.stop}>
            {t('sellCard.cancel')}
          </ButtonLink>
        )}
        <div className="grid gap-2 sm:ml-auto sm:max-w-md">
          <Button
            type="submit"
            size="lg"
            loading={isPreparing || progress !== undefined}
            aria-disabled={incomplete || undefined}
            aria-describedby={incomplete || isWarned || unready.length > 0 ? id : undefined}
          >
            {isPreparing ? t('photos.preparing') : label}
          </Button>
          <div id={id} className="grid gap-2 empty:hidden">
            {isWarned && !incomplete && <FieldWarning>{t('sellCard.submit.again')}</FieldWarning>}
            {isReady && unready.length > 0 && (
              <p className="text-soft text-sm">{t('sellCard.sale.stay', { count: unready.length })}</p>
            )}
            {unready.length > 0 && (
              <ul className="flex flex-wrap gap-2">
                {unready.map(({ card, finish }, index) => (
                  <li key={index}>
                    <Button size="sm" variant="secondary" onClick={finish}>
                      {t('sellCard.sale.finish', { card })}
                    </Button>
                  </li>
                ))}
              </ul>
            )}
            {missing.length > 0 && (
              <p className="text-soft text-sm">{t('sellCard.missing', { fields: list.format(missing) })}</p>
            )}
          </div>
        </div>
      </div>
    </div>
  )
}

interface SubmitBarProps {
  label: string
  /** The cards of a sale that are not ready, such as "Amazon $100". `finish` opens the card's form. */
  unready: readonly { card: string; finish: () => void }[]
  /** At least one card can be sent. */
  isReady: boolean
  /** The fields that are still missing. */
  missing: readonly string[]
  /** A warning has stopped the submission. The next press sends it. */
  isWarned: boolean
  /** Photos are still being made smaller. */
  isPreparing: boolean
  /** While cards are sent. */
  progress: UploadState | undefined
  cancelTo: string
}

export function UploadProgress({ number, total, share }: UploadState) {
  const t = useWords()
  return (
    <div className="grid gap-2">
      <p role="status" className="figures text-sm">
        {total > 1 && `${t('sellCard.upload.card', { number, total })} `}
        {share < 1
          ? t('sellCard.upload.sending', { percent: Math.round(share * 100) })
          : t('sellCard.upload.checking')}
      </p>
      <Progress share={(number - 1 + share) / total} label={t('sellCard.upload')} />
    </div>
  )
}
