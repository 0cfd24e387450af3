/** The look of every control with text. */
export const controlClass =
  'w-full min-h-11 rounded-md border border-control bg-surface px-3 py-2 text-base text-ink text-ellipsis placeholder:text-soft ' +
  'aria-invalid:border-2 aria-invalid:border-negative disabled:bg-sunken disabled:text-soft'
