/** A block of the DAG. */
export interface DagBlock {
  readonly hash: string
  readonly parents: readonly string[]
  /** One more than that of its newest parent; 0 where no parent is known. */
  readonly generation: number
  /** In the virtual chain, merged beside it, or removed from it by a reorg. */
  readonly place: 'chain' | 'merged' | 'removed'
  /** Whether it has transactions beside its coinbase. */
  readonly hasPayments: boolean
}

/** The newest blocks, oldest first. */
export interface Dag {
  readonly blocks: readonly DagBlock[]
  /** Ids of the transactions in the mempool. */
  readonly mempool: readonly string[]
}

export const EMPTY_DAG: Dag = { blocks: [], mempool: [] }
