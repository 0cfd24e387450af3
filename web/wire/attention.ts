const INPUTS = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const
/** Milliseconds without input. Too short, and a page counts as unattended while a person reads. */
const UNATTENDED_MS = 60_000

let lastInput: number | undefined

/** Starts to record when a person uses this page. */
export function watchAttention(): void {
  if (lastInput === undefined)
    for (const input of INPUTS) addEventListener(input, noteInput, { passive: true })
  noteInput()
}

function noteInput(): void {
  lastInput = Date.now()
}

/** Whether nobody has used this page for a minute. False before `watchAttention`. */
export function isUnattended(): boolean {
  return lastInput !== undefined && Date.now() - lastInput > UNATTENDED_MS
}
