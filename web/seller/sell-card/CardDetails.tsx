import { useState } from 'react'
import { cardConditions, cardFormats, expirationRequired, hasExpired } from '#domain/card.ts'
import { revealsCard } from '#domain/card-number.ts'
import type { Quote } from '#domain/quote.ts'
import { AmountField } from '#web/cards/AmountField.tsx'
import { ChoiceField } from '#web/kit/ChoiceField.tsx'
import { FieldWarning } from '#web/kit/Field.tsx'
import { TextArea, TextField } from '#web/kit/TextField.tsx'
import { useWords } from '#web/words/words.ts'
import { ScanNumber } from '../scan/ScanNumber.tsx'
import { type DraftFields, fieldLabels, fieldProps } from './draft.ts'
import { FormSection } from './FormSection.tsx'
import type { balanceOf } from './sale-entry.ts'

export function CardDetails({
  quote: { brand, faceValue },
  balance,
  keptNumber,
  isRepeated,
  losesPin,
  photos,
  preparing,
  ...fields
}: CardDetailsProps) {
  const t = useWords()
  const { draft, onChange, errorAt } = fields
  const [leftNumber, setLeftNumber] = useState('')
  const isShort = draft.cardNumber === leftNumber && /^[\d -]{1,7}$/.test(leftNumber.trim())
  // The error says what to enter.
  const isWrong = draft.cardNumber && errorAt('cardNumber')
  const isKept = keptNumber !== undefined && draft.cardNumber.trim() === ''
  return (
    <FormSection title={t('sellCard.details')} intro={t('sellCard.details.text')}>
      <div className="grid gap-5 sm:grid-cols-[minmax(0,8fr)_minmax(0,11fr)]">
        <ChoiceField
          label={t(fieldLabels.cardFormat)}
          name="cardFormat"
          choices={cardFormats.map((value) => ({ value, label: t(`cards.format.${value}`) }))}
          selected={draft.cardFormat}
          onSelect={(cardFormat) => onChange({ cardFormat })}
          error={errorAt('cardFormat')}
        />
        <ChoiceField
          label={t('sellCard.cardCondition')}
          name="cardCondition"
          choices={cardConditions.map((value) => ({ value, label: t(`cards.condition.${value}`) }))}
          selected={draft.cardCondition}
          onSelect={(cardCondition) => onChange({ cardCondition })}
          error={errorAt('cardCondition')}
        />
      </div>
      {balance && (
        <AmountField
          label={t(fieldLabels.balance)}
          name="balance"
          hint={t('sellCard.balance.hint')}
          value={balance.typed}
          onChange={(typed) => onChange({ balance: typed, balanceOf: faceValue })}
          problem={balance.typed === '' ? undefined : balance.problem}
          error={errorAt('balance')}
        />
      )}
      <TextField
        {...secret}
        {...fieldProps(fields, 'cardNumber')}
        label={t(fieldLabels.cardNumber)}
        optional={keptNumber !== undefined}
        onBlur={() => setLeftNumber(draft.cardNumber)}
        hint={
          isWrong ? undefined : isRepeated ? (
            <FieldWarning>{t('sellCard.cardNumber.repeated')}</FieldWarning>
          ) : isShort ? (
            t('sellCard.cardNumber.short')
          ) : keptNumber === undefined ? (
            t('sellCard.cardNumber.hint')
          ) : (
            t('sellCard.cardNumber.kept', { number: keptNumber })
          )
        }
      />
      <ScanNumber
        photos={photos}
        preparing={preparing}
        typed={draft.cardNumber}
        brand={brand.value}
        onUse={(cardNumber) => onChange({ cardNumber })}
      />
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField
          {...secret}
          {...fieldProps(fields, 'securityCode')}
          label={t(fieldLabels.securityCode)}
          optional
          hint={losesPin && t('sellCard.securityCode.again')}
        />
        <TextField
          {...secret}
          {...fieldProps(fields, 'expirationDate')}
          label={t(fieldLabels.expirationDate)}
          optional={!expirationRequired(brand.value) || isKept}
          placeholder={t('sellCard.expirationDate.example')}
          hint={
            hasExpired(draft.expirationDate) && (
              <FieldWarning>{t('sellCard.expirationDate.passed')}</FieldWarning>
            )
          }
          inputMode="numeric"
          maxLength={5}
          onChange={(event) => onChange({ expirationDate: withSlash(event.currentTarget.value, draft) })}
        />
      </div>
      <TextArea
        {...fieldProps(fields, 'submissionNotes')}
        label={t('sellCard.notes')}
        optional
        hint={
          revealsCard(draft.submissionNotes ?? '', [draft.cardNumber, draft.securityCode]) ? (
            <FieldWarning>{t('sellCard.notes.cardNumber')}</FieldWarning>
          ) : (
            t('sellCard.notes.hint')
          )
        }
      />
    </FormSection>
  )
}

type CardDetailsProps = DraftFields & {
  /** For the card's whole value. */
  quote: Quote
  /** Undefined for a new card. */
  balance: ReturnType<typeof balanceOf>
  /** Masked, for a card that keeps its numbers. */
  keptNumber: string | undefined
  /** Another card of the sale has the same number. */
  isRepeated: boolean
  losesPin: boolean
  photos: readonly File[]
  preparing: boolean
}

/** Keeps browsers from saving or correcting the numbers. */
const secret = {
  autoComplete: 'off',
  autoCapitalize: 'characters',
  autoCorrect: 'off',
  spellCheck: false,
  className: 'figures',
} as const

/** Adds the slash after the month, which number pads do not have, unless the seller is deleting. */
function withSlash(typed: string, { expirationDate: before }: { expirationDate: string }): string {
  return /^\d{2}$/.test(typed) && typed.length > before.length
    ? `${typed}/`
    : typed.replace(/^(\d{2})(\d)/, '$1/$2')
}
