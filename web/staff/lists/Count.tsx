/** How many there are, and how many of them are loaded. `noun` is in the plural. */
export function Count({ shown, total, noun }: { shown: number; total: number; noun: string }) {
  const one = noun.replace(/ies$/, 'y').replace(/s$/, '')
  const whole = `${total.toLocaleString('en-US')} ${total === 1 ? one : noun}`
  return shown < total ? `${shown.toLocaleString('en-US')} of ${whole}` : whole
}
