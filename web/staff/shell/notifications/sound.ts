import { createStoredText, useStore } from '#web/kit/store.ts'

const stored = createStoredText('localStorage', 'staff-sound')
let context: AudioContext | undefined

export function useSound(): [on: boolean, switchTo: (on: boolean) => void] {
  return [useStore(stored) === 'on', switchTo]
}

function switchTo(on: boolean): void {
  stored.set(on ? 'on' : 'off')
  // Plays the sound once as a preview.
  playSound()
}

/** Plays the sound of a new notification if it is switched on. Of several open tabs only one plays. */
export function playSound(): void {
  // Until the first click or key press, browsers refuse to play and log a warning.
  if (stored.get() !== 'on' || navigator.userActivation?.hasBeenActive === false) return
  if (!navigator.locks) {
    ring()
    return
  }
  // The tab that gets the lock plays, and keeps it until the other tabs have tried.
  void navigator.locks.request('staff-sound', { ifAvailable: true }, async (lock) => {
    if (!lock) return
    ring()
    await new Promise((resolve) => setTimeout(resolve, DURATION * 1000))
  })
}

/** Seconds. */
const DURATION = 0.6
/** Frequency in hertz and start in seconds. */
const NOTES = [
  [659.25, 0],
  [880, 0.12],
] as const
const VOLUME = 0.12

function ring(): void {
  context ??= new AudioContext()
  void context.resume()
  const now = context.currentTime
  for (const [frequency, after] of NOTES) {
    const note = context.createOscillator()
    const volume = context.createGain()
    note.frequency.value = frequency
    volume.gain.setValueAtTime(0, now + after)
    volume.gain.linearRampToValueAtTime(VOLUME, now + after + 0.015)
    volume.gain.exponentialRampToValueAtTime(0.001, now + DURATION)
    note.connect(volume).connect(context.destination)
    note.start(now + after)
    note.stop(now + DURATION)
  }
}
