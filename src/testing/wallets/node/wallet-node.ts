import type { ChainEngineOptions } from '../../../engine/options.js'
import type { FakeAccount } from '../account.js'
import type { SafeTransaction } from '../safe-transaction.js'
import { toPaymentTransaction, type FakePayment } from './payment.js'

/** A devnode as a fake wallet uses it; in another process than the devnode, `engineOptions` with its URL are enough. */
export interface WalletDevnode {
  readonly engineOptions: ChainEngineOptions
}

/** The node that a fake wallet is connected to. */
export interface WalletNode {
  /**
   * The unsigned transactions of a payment in the order of submission; the last one pays. Rejects with `NodeFailure`.
   */
  readonly build: (payment: FakePayment) => Promise<readonly SafeTransaction[]>
  /** Signs what the account can sign, and submits. Rejects with `NodeFailure`. */
  readonly send: (transaction: SafeTransaction, account: FakeAccount) => Promise<void>
  /** Sompi; `otherwise` where the node knows no balances. Rejects with `NodeFailure`. */
  readonly balance: (address: string, otherwise: WalletFunds) => Promise<WalletFunds>
}

/** Sompi. */
export interface WalletFunds {
  readonly confirmed: bigint
  readonly unconfirmed: bigint
}

/** Why a node did not build or accept a payment; each wallet has words of its own for it. */
export class NodeFailure extends Error {
  readonly isInsufficient: boolean

  constructor(message: string, isInsufficient: boolean, cause: unknown) {
    super(message, { cause })
    this.isInsufficient = isInsufficient
  }
}

/** Sompi that a payment costs where there is no node. */
const FEE = 10_000n

/** A node that has every fund and takes every payment: nothing is sent. */
export function createNoNode(): WalletNode {
  let nonce = 0
  return {
    build: (payment) => Promise.resolve([toPaymentTransaction({ ...payment, fee: FEE + payment.fee }, nonce++)]),
    send: () => Promise.resolve(),
    balance: (_, otherwise) => Promise.resolve(otherwise),
  }
}
