import type { StoredPaymentRequest } from '../../streams/requests/terms.js'
import type { PaymentRequestState, PaymentRequestStatus, RequestPayment } from '../../streams/requests/state.js'

/** What a caller decides of a request. */
export interface PaymentSettings {
  /** The caller's name of the request, such as that of its order: one request for ever. */
  readonly id: string
  /** Sompi. */
  readonly amount: bigint
  /** Ms from now in which the payment is in time. @default 900_000, 15 minutes */
  readonly expiresIn?: number | undefined
  /** Blue score from the accepting block to the sink from which a payment is confirmed. @default 100, ten seconds */
  readonly confirmations?: number | undefined
  /** Sompi by which the sum may be less than the amount. @default 0n */
  readonly tolerance?: bigint | undefined
  /** Who is paid; some wallets show it. */
  readonly label?: string | undefined
  /** What is paid; some wallets show it. */
  readonly message?: string | undefined
  /** An address that has received nothing yet, and that no other request has. @default the next one of `account` */
  readonly address?: string | undefined
  /** Data of the caller's, as JSON of at most 4,096 bytes; it is part of events and webhooks. @default none */
  readonly metadata?: PaymentMetadata | undefined
}

export type PaymentMetadata = Readonly<Record<string, unknown>>

/** A request as the database has it. */
export interface PaymentRequestRecord {
  readonly id: string
  readonly address: string
  /** The place of the address on its account's receive chain; null for an address of the caller's. */
  readonly index: number | null
  /** Sompi. */
  readonly amount: bigint
  /** Unix ms. */
  readonly createdAt: number
  /** Unix ms. */
  readonly expiresAt: number
  readonly metadata: PaymentMetadata | null
  /** The link and the content of the QR code. */
  readonly uri: string
  /** The request for `usePaymentRequest` of a page: plain JSON without a secret. */
  readonly stored: StoredPaymentRequest
  /** How many events it has had. */
  readonly version: number
  /** Sompi that can be paid back: what was received, less refunds. */
  readonly refundable: bigint
  /** Whether it is so deep that only a further payment changes it: an hour after it was confirmed. */
  readonly isClosed: boolean
  readonly state: PaymentRequestState
}

/**
 * What has changed: the status that was reached; `reverted` where a reorg took back what was received; `refunded`;
 * `expired` also of a partly paid request, whose status stays; `updated` for other amounts, such as a second payment.
 */
export type PaymentEventType = PaymentRequestStatus | 'reverted' | 'refunded' | 'updated'

/** A change of a request. */
export interface PaymentEvent {
  /** Its place in the order of all events of the network; `after` of the next reader. */
  readonly sequence: bigint
  /** The id of the request. */
  readonly id: string
  /** 1 for the first event of a request; each next one is one more. */
  readonly version: number
  readonly type: PaymentEventType
  readonly state: PaymentRequestState
  /** Unix ms. */
  readonly at: number
}

export interface PaymentListOptions {
  readonly status?: PaymentRequestStatus | undefined
  /** The id after which the list goes on. @default from the newest one */
  readonly after?: string | undefined
  /** At most 1,000. @default 100 */
  readonly limit?: number | undefined
}

/** What is paid back, and where to. */
export interface RefundSettings {
  /** The address that the customer has named. The payer of an exchange is its hot wallet: it is no default. */
  readonly to: string
  /** Sompi. */
  readonly amount: bigint
  /**
   * Names the refund among those of the request, from 1: the same number with the same fields is the same refund, so
   * that a call whose reply was lost can be repeated. @default the next number
   */
  readonly number?: number | undefined
}

/** A refund, which a payout pays. */
export interface Refund {
  readonly number: number
  readonly to: string
  /** Sompi. */
  readonly amount: bigint
  /** The id of the payout: `refund/<request>/<number>`. */
  readonly payoutId: string
  /** Unix ms. */
  readonly requestedAt: number
}

/** Who has paid, for support: of an exchange it is an address that is not the customer's. */
export interface Payer {
  readonly transactionId: string
  /** Sompi. */
  readonly amount: bigint
  readonly addresses: readonly string[]
}

/**
 * The event between two states of a request; null where only depths, the freshness or the expiry of what is paid have
 * changed.
 */
export function eventTypeOf(before: PaymentRequestState, after: PaymentRequestState): PaymentEventType | null {
  if (after.received < before.received || after.wasReverted !== before.wasReverted) return 'reverted'
  if (after.status !== before.status) return after.status
  const isOpen = after.status === 'seen' || after.status === 'partly-paid'
  if (isOpen && after.isExpired !== before.isExpired) return 'expired'
  if (after.refunded !== before.refunded) return 'refunded'
  const isSame =
    after.received === before.received &&
    after.pending === before.pending &&
    after.confirmed === before.confirmed &&
    after.isLate === before.isLate
  return isSame ? null : 'updated'
}

type Amount = 'received' | 'pending' | 'confirmed' | 'missing' | 'excess' | 'refunded'

/** A state as JSON: amounts are decimal texts. */
export type PaymentStateJson = Omit<PaymentRequestState, Amount | 'payments'> &
  Readonly<Record<Amount, string>> & {
    readonly payments: readonly (Omit<RequestPayment, 'amount'> & { readonly amount: string })[]
  }

export const toStateJson = (state: PaymentRequestState): PaymentStateJson => ({
  ...state,
  received: String(state.received),
  pending: String(state.pending),
  confirmed: String(state.confirmed),
  missing: String(state.missing),
  excess: String(state.excess),
  refunded: String(state.refunded),
  payments: state.payments.map((payment) => ({ ...payment, amount: String(payment.amount) })),
})

/** The state of what `toStateJson` wrote. */
export const parseState = (state: PaymentStateJson): PaymentRequestState => ({
  ...state,
  received: BigInt(state.received),
  pending: BigInt(state.pending),
  confirmed: BigInt(state.confirmed),
  missing: BigInt(state.missing),
  excess: BigInt(state.excess),
  refunded: BigInt(state.refunded),
  payments: state.payments.map((payment) => ({ ...payment, amount: BigInt(payment.amount) })),
})
