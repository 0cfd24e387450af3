import type { ComponentProps } from 'react'
import { controlClass } from './control-class.ts'
import { cx } from './cx.ts'
import { Field, type FieldTexts } from './Field.tsx'

type FileFieldProps = FieldTexts &
  Pick<ComponentProps<'input'>, 'accept' | 'autoFocus' | 'disabled'> & {
    /** Undefined if the choice was cleared. */
    onFile: (file: File | undefined) => void
  }

/** Takes one file, chosen or dropped. It is the browser's own control, which works on phones and with keys. */
export function FileField({ label, hint, error, optional, onFile, ...input }: FileFieldProps) {
  const texts = { label, hint, error, ...(optional && { optional }) }
  return (
    <Field {...texts}>
      {(wiring) => (
        <input
          {...wiring}
          {...input}
          type="file"
          // Otherwise a browser reports no change when a file is chosen again that was edited in between.
          onClick={({ currentTarget }) => {
            currentTarget.value = ''
            onFile(undefined)
          }}
          onChange={({ currentTarget }) => onFile(currentTarget.files?.[0])}
          className={cx(
            controlClass,
            'py-1.5 pl-1.5 text-soft text-sm file:mr-3 file:min-h-7.5 file:cursor-pointer file:rounded-sm file:border-0 file:bg-sunken file:px-3 file:font-semibold file:text-ink',
          )}
        />
      )}
    </Field>
  )
}
