import type { FileKind } from '#domain/payout.ts'
import { sentByProvider } from '#domain/payout-provider.ts'
import type { Context } from '#server/context.ts'
import type { PayoutProvider } from '#server/platform/payout-provider/payout-provider.ts'

/** The provider that pays batches of this kind. Undefined: they leave in files. */
export function providerOf(
  { payoutProvider: provider }: Pick<Context, 'payoutProvider'>,
  kind: FileKind,
): PayoutProvider | undefined {
  return provider && sentByProvider[provider.name] === kind ? provider : undefined
}
