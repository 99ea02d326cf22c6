/** A payment from the press of its button on. */
export interface Payment {
  readonly number: number
  readonly to: string
  /** Sompi that reach `to`; undefined where everything goes, until it is known how much that is. */
  readonly amount: bigint | undefined
  readonly stage: PaymentStage
}

export type PaymentStage =
  | { readonly type: 'signing' }
  | { readonly type: 'sent'; readonly transactionIds: readonly string[] }
  | { readonly type: 'failed'; readonly error: Error }
