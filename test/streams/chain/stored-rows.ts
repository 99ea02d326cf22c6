import type { ChainBatch, ChainBlock, ChainTransaction, ChainTransactionId } from '../../../src/streams/chain/batch.js'

/** One accepted transaction, as a program would store it. */
export interface StoredRow {
  readonly id: string
  readonly blockHash: string
  readonly blueScore: bigint
  /** What else the batches said about it, as text. */
  readonly content?: string
}

type AnyTransaction = ChainTransactionId | ChainTransaction

/** A program's database: rows and cursor, written together as the documentation shows. */
export class StoredRows {
  rows: readonly StoredRow[] = []
  cursor: string | undefined
  /** Rollbacks that undid rows. */
  rollbacks = 0

  /** With `contentOf`, rows have a content. */
  constructor(
    private readonly contentOf?: (transaction: AnyTransaction, block: ChainBlock<AnyTransaction>) => string,
  ) {}

  apply({ rollback, blocks, cursor }: ChainBatch<ChainBlock<AnyTransaction>>): void {
    const { contentOf } = this
    const kept = rollback === null ? this.rows : this.rows.filter(({ blueScore }) => blueScore <= rollback.blueScore)
    if (kept.length < this.rows.length) this.rollbacks++
    const added = blocks.flatMap((block) =>
      block.transactions.map((transaction): StoredRow => {
        const row = { id: transaction.id, blockHash: block.hash, blueScore: block.blueScore }
        return contentOf === undefined ? row : { ...row, content: contentOf(transaction, block) }
      }),
    )
    this.rows = [...kept, ...added]
    this.cursor = cursor
  }
}
