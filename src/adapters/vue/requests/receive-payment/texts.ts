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
