import type { Brand } from '#domain/brands.ts'
import {
  cardConditionLabels,
  cardConditions,
  cardFormatLabels,
  cardFormats,
  expirationRequired,
} from '#domain/card.ts'
import { ChoiceField } from '#web/kit/ChoiceField.tsx'
import { TextArea, TextField } from '#web/kit/TextField.tsx'
import { type Draft, fieldLabels } from './draft.ts'
import { FormSection } from './FormSection.tsx'

export interface DraftFields {
  draft: Draft
  onChange: (part: Partial<Draft>) => void
  errorAt: (field: keyof Draft) => string | undefined
}

const formatChoices = cardFormats.map((value) => ({ value, label: cardFormatLabels[value] }))
const conditionChoices = cardConditions.map((value) => ({ value, label: cardConditionLabels[value] }))

/** A card number is neither a password to remember nor a word to correct. */
const secret = {
  autoComplete: 'off',
  autoCapitalize: 'characters',
  autoCorrect: 'off',
  spellCheck: false,
} as const

export function CardDetails({ brand, draft, onChange, errorAt }: DraftFields & { brand: Brand }) {
  return (
    <FormSection title="Card details" intro="The numbers are encrypted as soon as they reach us.">
      <div className="grid gap-5 sm:grid-cols-2">
        <ChoiceField
          label={fieldLabels.cardFormat}
          name="cardFormat"
          choices={formatChoices}
          selected={draft.cardFormat}
          onSelect={(cardFormat) => onChange({ cardFormat })}
          error={errorAt('cardFormat')}
        />
        <ChoiceField
          label="Card condition"
          name="cardCondition"
          choices={conditionChoices}
          selected={draft.cardCondition}
          onSelect={(cardCondition) => onChange({ cardCondition })}
          error={errorAt('cardCondition')}
        />
      </div>
      <TextField
        {...secret}
        label={fieldLabels.cardNumber}
        name="cardNumber"
        value={draft.cardNumber}
        onChange={(event) => onChange({ cardNumber: event.currentTarget.value })}
        hint="Your card has no number? Write N/A."
        error={errorAt('cardNumber')}
        className="figures"
      />
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField
          {...secret}
          label="PIN or redemption code"
          name="securityCode"
          optional
          value={draft.securityCode}
          onChange={(event) => onChange({ securityCode: event.currentTarget.value })}
          error={errorAt('securityCode')}
          className="figures"
        />
        <TextField
          {...secret}
          label={fieldLabels.expirationDate}
          name="expirationDate"
          optional={!expirationRequired(brand.value)}
          placeholder="MM/YY"
          inputMode="numeric"
          maxLength={5}
          value={draft.expirationDate}
          onChange={(event) => onChange({ expirationDate: withSlash(event.currentTarget.value, draft) })}
          error={errorAt('expirationDate')}
          className="figures"
        />
      </div>
      <TextArea
        label="Notes"
        name="submissionNotes"
        optional
        hint="Anything we should know, for example what is left on a partially used card."
        value={draft.submissionNotes}
        onChange={(event) => onChange({ submissionNotes: event.currentTarget.value })}
        error={errorAt('submissionNotes')}
      />
    </FormSection>
  )
}

/** Phones' number pads have no slash: it is put in after the month, unless somebody is deleting. */
function withSlash(typed: string, { expirationDate: before }: Draft): string {
  return /^\d{2}$/.test(typed) && typed.length > before.length
    ? `${typed}/`
    : typed.replace(/^(\d{2})(\d)/, '$1/$2')
}
