import type { Cents } from '#domain/money.ts'
import type { ProviderName, ProviderProblem, ProviderState } from '#domain/payout-provider.ts'

/** A service that pays batches through its API. */
export interface PayoutProvider {
  readonly name: ProviderName
  /** The same for the same account, and safe to store. */
  readonly account: string
  /** The request that sends a batch. It is kept, so that it can be repeated byte for byte. */
  writeBatch(batch: BatchToSend): string
  /** Makes sure that a request would be accepted. Sends nothing. @throws ProviderError */
  signIn(signal: AbortSignal): Promise<void>
  /** Sends a batch once, however often it is called with the same request. @throws ProviderError */
  sendBatch(request: string, signal: AbortSignal): Promise<SentBatch>
  /** @throws ProviderError */
  readBatch(id: string, signal: AbortSignal): Promise<ProviderBatch>
  /** What can be paid out. @throws ProviderError */
  readBalance(signal: AbortSignal): Promise<ProviderMoney>
  /** Whether there is an address for webhooks. */
  readonly takesWebhooks: boolean
  /** The batch that a webhook is about, without checking who sent it. */
  batchOfWebhook(event: unknown): WebhookBatch | undefined
  /** Whether a webhook is the provider's. @throws ProviderError */
  verifyWebhook(webhook: Webhook, signal: AbortSignal): Promise<boolean>
}

export interface WebhookBatch {
  /** The provider's id. */
  readonly id: string
  /** Our id, if the webhook has it. */
  readonly senderId: string | undefined
}

export interface BatchToSend {
  /** A repeated request is recognized by it. */
  readonly id: string
  readonly subject: string
  readonly payments: readonly PaymentToSend[]
}

export interface PaymentToSend {
  readonly id: string
  readonly amount: Cents
  readonly wallet: 'paypal' | 'venmo'
  /** An email address, a phone number or a handle. */
  readonly receiver: string
  readonly note: string
}

export interface ProviderMoney {
  readonly amount: Cents
  /** When the provider counted it. */
  readonly at: Date
}

export interface SentBatch {
  /** The provider's id. */
  readonly id: string
  readonly state: ProviderState
}

export interface ProviderBatch extends SentBatch {
  /** Our id. */
  readonly senderId: string
  /** All fees so far. */
  readonly fees: Cents
  readonly items: readonly ProviderItem[]
  /** Why the batch was denied, as the provider writes it. */
  readonly error: string | null
}

export interface ProviderItem {
  /** Our id. */
  readonly senderId: string
  /** In the provider's words. */
  readonly state: string
  readonly amount: Cents | null
  readonly transactionId: string
}

export interface Webhook {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** As it arrived: a signature is about its bytes. */
  readonly body: string
}

export class ProviderError extends Error {
  override name = 'ProviderError'
  readonly problem: ProviderProblem
  /** The provider's name of the error, or why a payout is held. Without addresses and secrets. */
  readonly detail: string | null
  /** Whether the batch may have been sent all the same. */
  readonly isUnsure: boolean
  readonly retryAfterSeconds: number

  constructor(
    problem: ProviderProblem,
    {
      detail = null,
      isUnsure = false,
      retryAfterSeconds = 0,
    }: { detail?: string | null; isUnsure?: boolean; retryAfterSeconds?: number } = {},
  ) {
    super(`The payout provider failed: ${problem}`)
    this.problem = problem
    this.detail = detail
    this.isUnsure = isUnsure
    this.retryAfterSeconds = retryAfterSeconds
  }
}
