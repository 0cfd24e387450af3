const INPUTS = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const
/** Longer than any pause between two inputs of somebody who works. */
const UNATTENDED_MS = 60_000

let lastInput: number | undefined

/** Notes from now on when somebody uses this page. */
export function watchAttention(): void {
  if (lastInput === undefined)
    for (const input of INPUTS) addEventListener(input, noteInput, { passive: true })
  noteInput()
}

function noteInput(): void {
  lastInput = Date.now()
}

/** Whether nobody has used this page for a minute; false where nobody watches. */
export function isUnattended(): boolean {
  return lastInput !== undefined && Date.now() - lastInput > UNATTENDED_MS
}
