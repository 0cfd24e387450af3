const INPUTS = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const
/** Milliseconds without input. If too short, a page counts as unattended while someone reads it. */
const UNATTENDED_MS = 60_000

let lastInput: number | undefined

/** Starts to record when the page is used. */
export function watchAttention(): void {
  if (lastInput === undefined)
    for (const input of INPUTS) addEventListener(input, noteInput, { passive: true })
  noteInput()
}

function noteInput(): void {
  lastInput = Date.now()
}

/** Whether the page was not used for a minute. Always false before `watchAttention`. */
export function isUnattended(): boolean {
  return lastInput !== undefined && Date.now() - lastInput > UNATTENDED_MS
}
