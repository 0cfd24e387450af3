import type { ComponentProps } from 'react'
import { useWords } from '#web/words/words.ts'
import { Button } from './Button.tsx'

/**
 * Fields below each other. Before the app has started, a browser could submit it: by POST, so that no typed text ends up
 * in the address.
 */
export function Form(props: ComponentProps<'form'>) {
  return <form method="post" noValidate className="grid gap-5" {...props} />
}

type FormActionsProps = ComponentProps<typeof Button> & {
  onCancel: () => void
  /** The label of Cancel. */
  cancel?: string | undefined
}

/** The button that sends a form, and Cancel. On phones they are stacked. */
export function FormActions({ onCancel, cancel, ...submit }: FormActionsProps) {
  const t = useWords()
  return (
    <footer className="flex flex-col-reverse gap-2 md:flex-row md:justify-end">
      <Button variant="secondary" onClick={onCancel}>
        {cancel ?? t('site.cancel')}
      </Button>
      <Button type="submit" {...submit} />
    </footer>
  )
}
