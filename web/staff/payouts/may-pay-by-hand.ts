import type { Administrator } from '#contract/administrators.ts'
import { may } from '#domain/roles.ts'

/** Whether somebody may record a payout as paid that is in no batch. */
export function mayPayByHand({ role }: Administrator): boolean {
  return may(role, 'pay')
}
