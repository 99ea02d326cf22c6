import type { Observable } from 'rxjs'
import type { Account } from '../accounts/accounts.js'
import type { PaymentRequestState } from './state.js'
import type { StoredPaymentRequest } from './terms.js'

/** What a new request is created with. */
export interface PaymentRequestSettings {
  /** Sompi. */
  readonly amount: bigint
  /**
   * The address of this request alone: one that has received anything is refused, because its payments could not be
   * distinguished.
   */
  readonly address?: string | undefined
  /** In place of `address`: its next receive address that has received nothing. */
  readonly account?: Pick<Account, 'next' | 'network'> | undefined
  /** Ms until the request expires. Payments after that are seen, and are late. @default 900000 */
  readonly expiresIn?: number | undefined
  /** Blue score from the accepting block to the sink from which on the request is confirmed. @default 100 */
  readonly confirmations?: number | undefined
  /** Sompi by which the sum may be less than the amount. @default 0n */
  readonly tolerance?: bigint | undefined
  /** Who is paid, for the wallet of the payer. */
  readonly label?: string | undefined
  /** What is paid, for the wallet of the payer. */
  readonly message?: string | undefined
  /**
   * Stores the request, such as with the order. Awaited before anything is shown; where it rejects, `create` rejects
   * with the same.
   */
  readonly onCreated?: ((stored: StoredPaymentRequest) => void | Promise<void>) | undefined
}

/** A payment request that can be shown and followed. */
export interface RequestedPayment {
  /** Plain JSON: `requests.create(stored)` gives the same request, after a reload or on another device. */
  readonly stored: StoredPaymentRequest
  readonly address: string
  /** Sompi. */
  readonly amount: bigint
  /** For links and QR codes: see `toPaymentUri`. */
  readonly uri: string
  /** Unix ms. */
  readonly expiresAt: number
  /**
   * Hot and shared; replays the current state, emits only changes. Mempool and chain are followed while there are
   * subscribers, up to 24 hours after the expiry. Never errors; completes with the engine.
   */
  readonly state$: Observable<PaymentRequestState>
}

/** Payment requests. */
export interface PaymentRequests {
  /**
   * Creates a request, or opens a stored one. Rejects with `ChainError` `invalid-argument` for an impossible setting,
   * an address that has received something, and a second request for an address; with what `onCreated` rejects; and
   * where the node cannot be read for a new one, with `ChainRpcError`.
   */
  readonly create: (request: PaymentRequestSettings | StoredPaymentRequest) => Promise<RequestedPayment>
}
