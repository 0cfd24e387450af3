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
import { type DraftFields, fieldLabels, fieldProps } from './draft.ts'
import { FormSection } from './FormSection.tsx'

export function CardDetails({ brand, ...fields }: DraftFields & { brand: Brand }) {
  const { draft, onChange, errorAt } = fields
  return (
    <FormSection title="Card details" intro="We encrypt the numbers as soon as we receive them.">
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
        {...fieldProps(fields, 'cardNumber')}
        label={fieldLabels.cardNumber}
        hint="No number on your card? Enter N/A."
      />
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField
          {...secret}
          {...fieldProps(fields, 'securityCode')}
          label="PIN or redemption code"
          optional
        />
        <TextField
          {...secret}
          {...fieldProps(fields, 'expirationDate')}
          label={fieldLabels.expirationDate}
          optional={!expirationRequired(brand.value)}
          placeholder="MM/YY"
          inputMode="numeric"
          maxLength={5}
          onChange={(event) => onChange({ expirationDate: withSlash(event.currentTarget.value, draft) })}
        />
      </div>
      <TextArea
        {...fieldProps(fields, 'submissionNotes')}
        label="Notes"
        optional
        hint="Anything we should know, such as the balance left on a partially used card."
      />
    </FormSection>
  )
}

const formatChoices = cardFormats.map((value) => ({ value, label: cardFormatLabels[value] }))
const conditionChoices = cardConditions.map((value) => ({ value, label: cardConditionLabels[value] }))

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
