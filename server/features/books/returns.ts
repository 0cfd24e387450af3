import type { Translate } from '#words/translate.ts'
import type { Payout } from './payouts.ts'

/**
 * Why the money of a payout came back: by its code in the reader's language, or as staff wrote it. Null if it did not come
 * back.
 */
export function returnReasonOf(
  t: Translate,
  { state, returnCode, returnReason }: Pick<Payout, 'state' | 'returnCode' | 'returnReason'>,
): string | null {
  if (state !== 'returned') return null
  if (!returnCode) return returnReason ?? t('payouts.returned.unexplained')
  const key = `payouts.returned.${returnCode}`
  return t.has(key) ? t(key) : t('payouts.returned.unknown', { code: returnCode })
}
