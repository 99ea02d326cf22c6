import type { ChainRollback } from '../../streams/chain/batch.js'
import type { Transfer } from '../../streams/transfers/transfer.js'
import type { BeginMessage, TransferMessage } from '../jetstream/messages.js'
import type { AttemptMessages } from './batch-builder.js'

/** A transfer as it was delivered. */
export interface ConsumedTransfer extends Transfer {
  /** Of the transaction, in sompi; null for opening credits, and where it is unknown. */
  readonly fee: bigint | null
}

/**
 * What changes from one position of the chain to the next. Apply it whole, in this order: `rollback`, `added`,
 * `transfers`. Then a sum of credits minus debits of an address is its balance.
 */
export interface ConsumedBatch {
  /** Batches of a stream are numbered without gaps. */
  readonly batch: number
  /** The position after the batch, as text: `after` of the next call, where a program stores it with its rows. */
  readonly position: string
  /** A reorg: delete what was accepted above this blue score. Null for the usual case. */
  readonly rollback: ChainRollback | null
  /** Addresses that count from this batch on: delete what is stored for them. */
  readonly added: readonly string[]
  /** Addresses that no longer count. Their rows stay. */
  readonly removed: readonly string[]
  readonly transfers: readonly ConsumedTransfer[]
  /** The position in the chain, for `followTransfers` and `followChain`. */
  readonly cursor: string
  readonly blueScore: bigint
  /** Whether the feed had reached the end of the chain. */
  readonly isLive: boolean
  /**
   * Stores under the option `name` that this batch and all before it are done: the next call with that name continues
   * after it. Does nothing without a name. Rejects with `ChainError` `taken-over` where another consumer of that name
   * was faster; may be repeated.
   */
  ack(): Promise<void>
}

/** A complete batch in the types of this library. `isWanted` selects addresses. */
export function toConsumedBatch(
  { begin, added, removed, transfers, end }: AttemptMessages,
  position: string,
  isWanted: (address: string) => boolean,
): Omit<ConsumedBatch, 'ack'> {
  return {
    batch: end.batch,
    position,
    rollback: toRollback(begin.rollback),
    added: added.filter(isWanted),
    removed: removed.filter(isWanted),
    transfers: transfers.map(toTransfer),
    cursor: end.cursor,
    blueScore: BigInt(end.blueScore),
    isLive: end.isLive,
  }
}

const toRollback = (rollback: BeginMessage['rollback']): ChainRollback | null =>
  rollback === null
    ? null
    : { hash: rollback.hash, blueScore: BigInt(rollback.blueScore), daaScore: BigInt(rollback.daaScore) }

function toTransfer({ type: _, batch: __, attempt: ___, ...transfer }: TransferMessage): ConsumedTransfer {
  return {
    ...transfer,
    amount: BigInt(transfer.amount),
    acceptingBlueScore: BigInt(transfer.acceptingBlueScore),
    acceptingDaaScore: BigInt(transfer.acceptingDaaScore),
    fee: transfer.fee === null ? null : BigInt(transfer.fee),
  }
}
