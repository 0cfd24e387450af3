import type { ComponentProps } from 'react'

/**
 * Fields below each other; what is wrong with them is said by us and not by the browser. Before the app is there it
 * could only be sent to nowhere: by POST, so that at least nothing typed ends up in the address.
 */
export function Form(form: ComponentProps<'form'>) {
  return <form method="post" noValidate className="grid gap-5" {...form} />
}
