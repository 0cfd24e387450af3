import type { ComponentProps, KeyboardEvent } from 'react'
import { useWords } from '#web/words/words.ts'
import { Button } from './Button.tsx'

/**
 * Fields below each other. Ctrl + Enter sends it from any of them. Before the app has started, a browser could submit it: by
 * POST, so that no typed text ends up in the address.
 */
export function Form(props: ComponentProps<'form'>) {
  return <form method="post" noValidate onKeyDown={submitByKey} className="grid gap-5" {...props} />
}

function submitByKey(event: KeyboardEvent<HTMLFormElement>) {
  const isMeant = event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.repeat
  if (!isMeant || event.defaultPrevented) return
  event.preventDefault()
  event.currentTarget.requestSubmit()
}

type FormActionsProps = ComponentProps<typeof Button> & {
  onCancel: () => void
  /** The label of Cancel. */
  cancel?: string | undefined
}

/** The button that sends a form, and Cancel. On phones they are stacked. In a dialog they stay in view. */
export function FormActions({ onCancel, cancel, ...submit }: FormActionsProps) {
  const t = useWords()
  return (
    <footer className="form-actions flex flex-col-reverse gap-2 md:flex-row md:justify-end">
      <Button variant="secondary" onClick={onCancel}>
        {cancel ?? t('site.cancel')}
      </Button>
      <Button type="submit" {...submit} />
    </footer>
  )
}
