import type { TransactionIds } from '../../model/transaction-ids.js'
import type { AcceptanceChange, AcceptanceRollback } from './change.js'

/** A chain block and the transactions it accepted. */
export interface AcceptingBlock {
  readonly hash: string
  readonly accepted: TransactionIds
}

/** What one batch changes. */
export interface AcceptanceBatch {
  /** Null if nothing is undone. */
  readonly rollback: AcceptanceRollback | null
  /** The remembered blocks that the rollback removes, newest first. */
  readonly removed: readonly AcceptingBlock[]
  /** In the order of the chain. */
  readonly added: readonly AcceptingBlock[]
}

/** The changes of a batch one by one: the rollback, what it reverts, newest first, then the accepted ones in order. */
export const toChanges = ({ rollback, removed, added }: AcceptanceBatch): AcceptanceChange[] => [
  ...(rollback === null ? [] : [rollback]),
  ...removed.flatMap((block) => changesOf('reverted', block).reverse()),
  ...added.flatMap((block) => changesOf('accepted', block)),
]

const changesOf = (type: 'accepted' | 'reverted', { hash, accepted }: AcceptingBlock): AcceptanceChange[] =>
  accepted.toStrings().map((transactionId) => ({ type, transactionId, acceptingBlockHash: hash }))
