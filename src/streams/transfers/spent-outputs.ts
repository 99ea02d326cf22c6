import { toOutpointKey, type OutpointKey } from '../../model/utxo.js'
import type { Transfer } from './transfer.js'

/** Blocks that can be undone. */
const MAX_UNDONE = 10_000

/** What one block changed. */
interface BlockChanges {
  readonly blueScore: bigint
  readonly created: readonly OutpointKey[]
  readonly spent: readonly { readonly key: OutpointKey; readonly wasCreated: boolean }[]
}

/**
 * The outputs that are older than a scan and were spent since. Holds what is unspent, not what has passed: a scan may
 * run over millions of blocks. Mutable.
 */
export class SpentOutputs {
  /** Created since, and unspent. */
  readonly #created = new Set<OutpointKey>()
  /** Debits of older outputs. */
  readonly #older = new Map<OutpointKey, Transfer>()
  #blocks: BlockChanges[] = []
  /** The highest blue score of a block that cannot be undone any more. */
  #finalBlueScore = -1n

  /** Debits of outputs that were not created since. */
  older(): readonly Transfer[] {
    return [...this.#older.values()]
  }

  /** Adds the transfers of one chain block, in order. */
  add(blueScore: bigint, transfers: readonly Transfer[]): void {
    if (transfers.length === 0) return
    const created: OutpointKey[] = []
    const spent: { key: OutpointKey; wasCreated: boolean }[] = []
    for (const transfer of transfers) {
      const key = toOutpointKey(transfer.outpoint)
      if (transfer.direction === 'credit') {
        this.#created.add(key)
        created.push(key)
      } else {
        const wasCreated = this.#created.delete(key)
        if (!wasCreated) this.#older.set(key, transfer)
        spent.push({ key, wasCreated })
      }
    }
    this.#blocks.push({ blueScore, created, spent })
    if (this.#blocks.length >= 2 * MAX_UNDONE) this.#prune()
  }

  /** Undoes all blocks above a blue score; false where too much has passed since, and nothing is undone. */
  rollBack(blueScore: bigint): boolean {
    if (blueScore < this.#finalBlueScore) return false
    for (let last = this.#blocks.at(-1); last !== undefined && last.blueScore > blueScore; last = this.#blocks.at(-1)) {
      this.#blocks.pop()
      this.#undo(last)
    }
    return true
  }

  #undo({ created, spent }: BlockChanges): void {
    for (const { key, wasCreated } of spent) {
      if (wasCreated) this.#created.add(key)
      else this.#older.delete(key)
    }
    for (const key of created) this.#created.delete(key)
  }

  #prune(): void {
    const pruned = this.#blocks.length - MAX_UNDONE
    this.#finalBlueScore = this.#blocks[pruned - 1]?.blueScore ?? this.#finalBlueScore
    this.#blocks = this.#blocks.slice(pruned)
  }
}
