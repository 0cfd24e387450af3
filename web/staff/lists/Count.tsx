import { grouped } from '../../ui/grouped.ts'

/** How many there are, and how many of them are loaded. `noun` is in the plural. */
export function Count({ shown, total, noun }: { shown: number; total: number; noun: string }) {
  const whole = `${grouped(total)} ${total === 1 ? noun.replace(/ies$/, 'y').replace(/s$/, '') : noun}`
  return shown < total ? `${grouped(shown)} of ${whole}` : whole
}
