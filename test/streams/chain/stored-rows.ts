import type { ChainBatch, ChainBlock, ChainTransactionId } from '../../../src/streams/chain/batch.js'

/** One accepted transaction, as a program would store it. */
export interface StoredRow {
  readonly id: string
  readonly blockHash: string
  readonly blueScore: bigint
}

/** A program's database: rows and cursor, written together as the documentation shows. */
export class StoredRows {
  rows: readonly StoredRow[] = []
  cursor: string | undefined
  /** Rollbacks that undid rows. */
  rollbacks = 0

  apply({ rollback, blocks, cursor }: ChainBatch<ChainBlock<ChainTransactionId>>): void {
    const kept = rollback === null ? this.rows : this.rows.filter(({ blueScore }) => blueScore <= rollback.blueScore)
    if (kept.length < this.rows.length) this.rollbacks++
    const added = blocks.flatMap(({ hash, blueScore, transactions }) =>
      transactions.map(({ id }) => ({ id, blockHash: hash, blueScore })),
    )
    this.rows = [...kept, ...added]
    this.cursor = cursor
  }
}
