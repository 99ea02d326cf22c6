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

/** All texts of the component, for translation. Amounts come with their unit. */
export interface ReceivePaymentTexts {
  /** Above the amount. */
  readonly title: string
  /** The text alternative of the QR code. */
  readonly qrCode: (amount: string, address: string) => string
  readonly address: string
  readonly copyAmount: string
  readonly copyAddress: string
  readonly link: string
  readonly copyLink: string
  readonly copied: string
  /** Copying failed: clipboard access was denied. */
  readonly notCopied: string
  readonly openWallet: string
  readonly payWith: (name: string) => string
  /** While the wallet's prompt is open. */
  readonly continueIn: (name: string) => string
  readonly sentWith: (name: string) => string
  /** The payment by the wallet failed. `isUnknown`: it may have been sent. */
  readonly notSent: (name: string, isUnknown: boolean) => string
  /** Before the first look. */
  readonly lookingUp: string
  readonly waiting: string
  readonly seen: string
  readonly partlyPaid: (received: string, missing: string) => string
  readonly paid: string
  readonly confirmed: string
  readonly expired: string
  readonly confirmations: (count: number, required: number) => string
  /** The time that is left, such as `14:59`. */
  readonly remaining: (time: string) => string
  /** The state is of an earlier time. */
  readonly stale: string
  /** The time is up, and the state is of an earlier time. */
  readonly expiredStale: string
  readonly late: string
  readonly reverted: string
  readonly excess: (amount: string) => string
  /** The request cannot be shown. */
  readonly problem: string
}

export const ENGLISH: ReceivePaymentTexts = {
  title: 'Amount to pay',
  qrCode: (amount, address) => `Payment of ${amount} to ${address}`,
  address: 'Address',
  copyAmount: 'Copy amount',
  copyAddress: 'Copy address',
  link: 'Payment link',
  copyLink: 'Copy payment link',
  copied: 'Copied',
  notCopied: 'Not copied: the browser does not allow it',
  openWallet: 'Open in wallet',
  payWith: (name) => `Pay with ${name}`,
  continueIn: (name) => `Confirm in ${name} …`,
  sentWith: (name) => `Sent with ${name}`,
  notSent: (name, isUnknown) =>
    isUnknown
      ? `${name} did not say whether it paid. Look at its transactions before you pay again.`
      : `${name} did not pay.`,
  lookingUp: 'Looking up the payment …',
  waiting: 'Waiting for your payment',
  seen: 'Payment seen, not yet accepted',
  partlyPaid: (received, missing) => `${received} received, ${missing} left to pay`,
  paid: 'Paid',
  confirmed: 'Payment confirmed',
  expired: 'This payment request has expired',
  confirmations: (count, required) => `${count} of ${required} confirmations`,
  remaining: (time) => `${time} left`,
  stale: 'No connection: this may be out of date',
  expiredStale: 'The time is up, and there is no connection: whether you have paid is not known here',
  late: 'It came after the request had expired.',
  reverted: 'The network took an earlier payment back.',
  excess: (amount) => `${amount} more than requested`,
  problem: 'This payment request cannot be shown',
}
