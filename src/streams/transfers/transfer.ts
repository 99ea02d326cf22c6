import { toOutpointKey, type Outpoint } from '../../model/utxo.js'
import type { ChainBlock, ChainContractTransaction, ChainRollback } from '../chain/batch.js'

/** An output that pays to a watched address (`credit`), or a watched address's output that is spent (`debit`). */
export interface Transfer {
  /** The watched address. */
  readonly address: string
  readonly direction: 'credit' | 'debit'
  /** Sompi. */
  readonly amount: bigint
  /** The output that is created or spent. */
  readonly outpoint: Outpoint
  /** The transaction that creates the output, or spends it. */
  readonly transactionId: string
  /** The chain block that accepted the transaction; null for an opening credit. */
  readonly acceptingBlockHash: string | null
  /** For an opening credit, the blue score of the block after which the address is watched. */
  readonly acceptingBlueScore: bigint
  /** For an opening credit, the DAA score of the block that accepted the output, from which maturity counts. */
  readonly acceptingDaaScore: bigint
  /** Unix milliseconds, set by the miner of the accepting block; null for an opening credit. */
  readonly timestamp: number | null
  /** Whether a coinbase created the output. False for a debit. */
  readonly isCoinbase: boolean
  /** Whether the output is older than the watching of its address: credits so that sums equal balances. */
  readonly isOpening: boolean
  /**
   * Whether a credit returns to the payer: its address is also that of an input, is on the change chain of a watched
   * account, or was the `changeAddress` of the payment, which this engine sent or restored.
   */
  readonly isChange: boolean
  /** Whether an input of the transaction is watched: a payment of one's own. */
  readonly isInternal: boolean
  /**
   * The covenant that binds the output, whose address is then one of a public key: the key spends it, which ends the
   * right that it may carry.
   */
  readonly covenantId?: string | undefined
  /** The distinct unwatched addresses of the other side: payers of a credit, recipients of a debit. */
  readonly counterparties: readonly string[]
}

/** An accepted transaction that concerns watched addresses. */
export interface TransferTransaction {
  readonly transactionId: string
  /** Credits minus debits over all watched addresses, in sompi. */
  readonly net: bigint
  /** Sompi, 0n for a coinbase; null for opening credits, and where an input's amount is unknown. */
  readonly fee: bigint | null
  /** Debits in the order of inputs, then credits in the order of outputs. */
  readonly transfers: readonly Transfer[]
}

/** One step of `followTransfers`. Store `cursor` and `transactions` together: then each transfer counts once. */
export interface TransferBatch {
  /** The position after this batch. */
  readonly cursor: string
  /** A reorg: delete every row above this blue score, then add `transactions`. Null for the usual case. */
  readonly rollback: ChainRollback | null
  /** In the node's order of acceptance. An output may be created and spent in one block. */
  readonly transactions: readonly TransferTransaction[]
  /**
   * Addresses, added during the iteration, that count from this batch on. Store them with the rows: with `cursor`,
   * `addresses` are those that counted there, and others are added to the running iteration.
   */
  readonly added: readonly string[]
  /** The blue score of the block after which `added` count; null where none were added. */
  readonly addedAfter: bigint | null
  /** Whether the end of the chain was reached (below it `minConfirmations`). */
  readonly isLive: boolean
  /** With `detail: 'contracts'` the chain blocks of the batch, oldest first, also those without transfers. */
  readonly blocks?: readonly ChainBlock<ChainContractTransaction>[] | undefined
}

/**
 * The key of a transfer's row, unique within a network: `<direction>:<transaction id>:<index>`. The accepting block is
 * no part of it, because another block may accept the transaction after a reorg.
 */
export const transferKey = ({ direction, outpoint }: Pick<Transfer, 'direction' | 'outpoint'>): string =>
  `${direction}:${toOutpointKey(outpoint)}`
