import type { ChainEngine } from '../../src/engine/engine.js'
import { toOutpointKey } from '../../src/model/utxo.js'
import type { ChainBatch } from '../../src/streams/chain/batch.js'

/** A change of the outputs of a covenant, by the chain block that accepted it. */
interface Change {
  readonly blueScore: bigint
  readonly outpoint: string
  readonly isSpent: boolean
}

/** The outputs of one covenant, by the stream of the chain after a block, with what reorgs undo. */
export class BoundOutputs {
  readonly #batches: AsyncIterator<ChainBatch>
  readonly #covenantId: string
  #changes: readonly Change[] = []
  rollbacks = 0

  constructor(engine: ChainEngine, covenantId: string, from: string) {
    this.#batches = engine.followChain({ from })[Symbol.asyncIterator]()
    this.#covenantId = covenantId
  }

  /** Applies batches up to the one with this block. */
  async until(hash: string): Promise<void> {
    for (;;) {
      const { value: batch, done } = await this.#batches.next()
      if (done === true) throw new Error('The chain ended')
      this.#apply(batch)
      if (batch.blocks.some((block) => block.hash === hash)) return
    }
  }

  /** Those that are created and not spent. */
  outpoints(): readonly string[] {
    const spent = new Set(this.#changes.filter(({ isSpent }) => isSpent).map(({ outpoint }) => outpoint))
    return this.#changes.map(({ outpoint }) => outpoint).filter((outpoint) => !spent.has(outpoint))
  }

  async stop(): Promise<void> {
    await this.#batches.return?.()
  }

  #apply({ rollback, blocks }: ChainBatch): void {
    if (rollback !== null) this.rollbacks++
    const kept = this.#changes.filter(({ blueScore }) => rollback === null || blueScore <= rollback.blueScore)
    this.#changes = [
      ...kept,
      ...blocks.flatMap(({ blueScore, transactions }) =>
        transactions.flatMap(({ id, inputs, outputs }) => [
          ...inputs
            .filter(({ covenantId }) => covenantId === this.#covenantId)
            .map(({ outpoint }) => ({ blueScore, outpoint: toOutpointKey(outpoint), isSpent: true })),
          ...outputs
            .filter(({ covenantId }) => covenantId === this.#covenantId)
            .map(({ index }) => ({ blueScore, outpoint: toOutpointKey({ transactionId: id, index }), isSpent: false })),
        ]),
      ),
    ]
  }
}
