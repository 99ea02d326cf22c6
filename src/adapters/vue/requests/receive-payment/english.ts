import type { ReceivePaymentTexts } from './texts.js'

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
