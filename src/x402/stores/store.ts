import type { X402Payment } from '../settlement/payment.js'

/** What a claim found. `taken`: another payment of the store spends one of its inputs. */
export type ClaimResult =
  | { readonly type: 'claimed' | 'known'; readonly payment: X402Payment }
  | { readonly type: 'taken'; readonly transactionId: string }

/** A payment and its number in the store, by which instances find those of others. */
export interface NumberedPayment {
  readonly sequence: bigint
  readonly payment: X402Payment
}

/** Where a facilitator keeps payments. Its methods reject with the error of the database. */
export interface X402Store {
  /** Whether a restart forgets nothing: networks other than simnet and devnet require it. */
  readonly isDurable: boolean
  /**
   * Stores a payment with its outpoints, in one transaction, unless its id is there: then the stored one. The claim is
   * durable when this resolves.
   */
  claim(payment: X402Payment): Promise<ClaimResult>
  find(network: string, transactionId: string): Promise<X402Payment | null>
  /** Writes a next version; false where another instance was first. */
  update(payment: X402Payment): Promise<boolean>
  /** Lets other payments spend the outpoints of a rejected one. */
  release(payment: X402Payment): Promise<void>
  /**
   * Payments after a number, in its order, that the chain can still change: all but the rejected ones, and those that
   * were served more than two hours ago and are accepted. Numbers are given out in the order in which claims resolve.
   */
  after(network: string, sequence: bigint): Promise<readonly NumberedPayment[]>
  /** Where the chain was read up to. */
  cursor(network: string): Promise<string | null>
  saveCursor(network: string, cursor: string): Promise<void>
  /**
   * Forgets payments claimed before a time (Unix ms) that were served or rejected. A payment that is forgotten could be
   * presented again: `olderThan` lies beyond `maxTimeoutSeconds` of every route, an hour at least.
   */
  prune(network: string, olderThan: number): Promise<number>
}
