/** A payment made on this page. */
export interface Payment {
  readonly number: number
  readonly to: string
  /** Sompi that `to` receives; undefined for a sweep until it is planned. */
  readonly amount: bigint | undefined
  readonly state: PaymentState
}

export type PaymentState =
  | { readonly type: 'signing' }
  | { readonly type: 'sent'; readonly transactionIds: readonly string[] }
  | { readonly type: 'failed'; readonly error: Error }
