import { createStoredText, useStore } from '#web/kit/store.ts'

/** A short sound for what arrives. Off until somebody switches it on; made here, so that no file is fetched. */

const stored = createStoredText('localStorage', 'staff-sound')
let context: AudioContext | undefined

export function useSound(): [on: boolean, switchTo: (on: boolean) => void] {
  return [useStore(stored) === 'on', switchTo]
}

function switchTo(on: boolean): void {
  stored.set(on ? 'on' : 'off')
  // Lets the user hear what they switched on.
  playSound()
}

/** Plays it where it is on; of several tabs, one does. */
export function playSound(): void {
  // Before anybody has touched the page a browser plays nothing, and would complain about the try.
  if (stored.get() !== 'on' || navigator.userActivation?.hasBeenActive === false) return
  if (!navigator.locks) {
    ring()
    return
  }
  // The tab that gets the lock plays, and holds it for as long as the others may hear of the same.
  void navigator.locks.request('staff-sound', { ifAvailable: true }, async (lock) => {
    if (!lock) return
    ring()
    await new Promise((resolve) => setTimeout(resolve, LENGTH * 1000))
  })
}

/** Seconds. */
const LENGTH = 0.6
/** Two quiet notes, a fourth apart: hertz, and seconds from the beginning. */
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
    volume.gain.exponentialRampToValueAtTime(0.001, now + LENGTH)
    note.connect(volume).connect(context.destination)
    note.start(now + after)
    note.stop(now + LENGTH)
  }
}
