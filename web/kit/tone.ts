/** The tone of badges and notices. In its own file so that neither loads the other's icons. */
export type Tone = 'positive' | 'caution' | 'info' | 'negative' | 'neutral' | 'money'

export const toneClass: Record<Tone, string> = {
  positive: 'bg-positive-quiet text-positive',
  caution: 'bg-caution-quiet text-caution',
  info: 'bg-info-quiet text-info',
  negative: 'bg-negative-quiet text-negative',
  neutral: 'bg-neutral-quiet text-neutral',
  money: 'bg-gold text-on-gold',
}
