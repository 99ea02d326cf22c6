import type { PaymentRequestState } from '../../../../streams/requests/state.js'
import type { ChainError } from '../../../../errors/chain-error.js'

/** Props of each slot. A slot replaces one part. */
export interface ReceivePaymentSlots {
  /** The amount that is left to pay, in sompi. */
  readonly amount: { readonly amount: bigint; readonly text: string; readonly copy: (() => unknown) | null }
  /** The QR code; `text` is what it holds, `label` its text alternative. */
  readonly qr: { readonly text: string; readonly label: string }
  /** The state in words. */
  readonly status: {
    readonly state: PaymentRequestState
    readonly text: string
    readonly notes: readonly string[]
    /** Ms; null where it is not known or has no meaning. */
    readonly remaining: number | null
  }
  readonly address: { readonly address: string; readonly copy: (() => unknown) | null }
  readonly link: { readonly uri: string; readonly copy: (() => unknown) | null }
  /** The buttons. `pay` is null without a connected wallet of the request's network. */
  readonly actions: { readonly uri: string; readonly pay: (() => void) | null }
  /** In place of everything that leads to a payment, once nothing is left to pay or the request has expired. */
  readonly done: { readonly state: PaymentRequestState; readonly text: string }
  /** The request cannot be opened. */
  readonly problem: { readonly error: ChainError; readonly text: string }
  /** At the end; empty by default. */
  readonly footer: { readonly state: PaymentRequestState }
}
