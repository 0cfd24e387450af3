import { readStored, writeStored } from './store.ts'

/**
 * Keeps what is typed into some fields of a form for the life of the tab, so that a reload or another page loses nothing. Not
 * for secrets.
 */
export function keepFields(storageKey: string, names: readonly string[]) {
  const forget = () => writeStored('sessionStorage', storageKey, null)
  /** The form's `ref`. */
  function ref(form: HTMLFormElement | null) {
    if (!form) return
    const fields = names.map((name) => form.elements.namedItem(name) as HTMLInputElement)
    const kept = readStored('sessionStorage', storageKey)?.split('\n') ?? []
    fields.forEach((field, index) => {
      field.value ||= kept[index] ?? ''
    })
    const keep = () => writeStored('sessionStorage', storageKey, fields.map(({ value }) => value).join('\n'))
    form.addEventListener('input', keep)
    return () => form.removeEventListener('input', keep)
  }
  return { ref, forget }
}
