import type { PaymentRequestState } from '../../streams/requests/state.js'
import { parseState, type PaymentStateJson } from '../payments/state-json.js'
import type { PaymentEventType, PaymentMetadata } from '../payments/payment.js'

/** What a webhook says: a change of a payment request, with the state after it. */
export interface PaymentWebhook {
  readonly type: `payment.${PaymentEventType}`
  /** When the change was stored, in Unix ms. */
  readonly at: number
  /** The id of the request. */
  readonly id: string
  /** 1 for the first change of a request. A receiver ignores a version that is not above the one that it has. */
  readonly version: number
  readonly network: string
  readonly address: string
  /** Sompi. */
  readonly amount: bigint
  readonly metadata: PaymentMetadata | null
  readonly state: PaymentRequestState
}

interface WebhookJson {
  readonly type: PaymentWebhook['type']
  readonly timestamp: string
  readonly data: Pick<PaymentWebhook, 'id' | 'version' | 'network' | 'address' | 'metadata'> & {
    readonly amount: string
    readonly state: PaymentStateJson
  }
}

/** The body of a change: the same text each time, so that a repeated delivery says the same. */
export const toBody = ({ type, at, amount, state, ...data }: WebhookContent): string =>
  JSON.stringify({
    type,
    timestamp: new Date(at).toISOString(),
    data: { ...data, amount: String(amount), state },
  } satisfies WebhookJson)

/** With the state as it is stored. */
export interface WebhookContent extends Omit<PaymentWebhook, 'state'> {
  readonly state: PaymentStateJson
}

/** What a body says whose signature is right. */
export function parseBody(body: string): PaymentWebhook {
  const { type, timestamp, data } = JSON.parse(body) as WebhookJson // written by `toBody`
  const { amount, state, ...rest } = data
  return { ...rest, type, at: Date.parse(timestamp), amount: BigInt(amount), state: parseState(state) }
}
