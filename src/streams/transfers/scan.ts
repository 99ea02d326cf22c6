import type { ChainBatch } from '../chain/batch.js'
import { extractTransfers, type AddressFilter } from './extract.js'
import type { Transfer, TransferTransaction } from './transfer.js'
import { toOutpointKey, type OutpointKey } from '../../model/utxo.js'

/**
 * How many of the newest blocks a scan knows by hash, beside those that may lie above the position of the followed
 * chain.
 */
const MAX_BLOCKS = 10_000

export interface ScanOptions {
  readonly filter: AddressFilter
  /** Without transfers a scan over a long history holds only what is unspent. */
  readonly keeps: 'transfers' | 'openings'
  /** How deep the followed chain stays below the sink, in blue score: at least as many as chain blocks. */
  readonly minConfirmations: bigint
}

/**
 * What a chain moved after a block, up to the newest batch. Mutable: a scan of a long history is appended to, never
 * copied.
 */
export class Scan {
  #transactions: TransferTransaction[] = []
  readonly #spent = new SpentOutputs()
  readonly #scores = new Map<string, bigint>()

  constructor(private readonly options: ScanOptions) {}

  /**
   * Undoes what the rollback of a batch undoes, and adds what its blocks accepted; returns the added transfers.
   * Undefined where the rollback is deeper than a scan can undo.
   */
  add({ rollback, blocks }: Pick<ChainBatch, 'rollback' | 'blocks'>): readonly Transfer[] | undefined {
    if (rollback !== null && !this.#rollBack(rollback.blueScore)) return undefined
    const added: Transfer[] = []
    for (const block of blocks) {
      this.#scores.set(block.hash, block.blueScore)
      const transactions = extractTransfers(block, this.options.filter)
      const transfers = transactions.flatMap((one) => one.transfers)
      this.#spent.add(block.blueScore, transfers)
      if (this.options.keeps === 'transfers') this.#transactions.push(...transactions)
      added.push(...transfers)
    }
    const known = MAX_BLOCKS + Number(this.options.minConfirmations)
    for (const hash of this.#scores.keys()) {
      if (this.#scores.size <= known) break
      this.#scores.delete(hash)
    }
    return added
  }

  /** Whether a block is among the newest of the scanned chain. */
  has(hash: string): boolean {
    return this.#scores.has(hash)
  }

  /** The outputs that are older than the scan and were spent since, as debits. */
  spent(): readonly Transfer[] {
    return this.#spent.older()
  }

  /** The kept transactions up to a blue score. */
  transactions(blueScore: bigint): readonly TransferTransaction[] {
    return this.#transactions.filter((one) => scoreOf(one) <= blueScore)
  }

  #rollBack(blueScore: bigint): boolean {
    if (!this.#spent.rollBack(blueScore)) return false
    this.#transactions = this.#transactions.filter((one) => scoreOf(one) <= blueScore)
    for (const [hash, score] of this.#scores) if (score > blueScore) this.#scores.delete(hash)
    return true
  }
}

const scoreOf = ({ transfers }: TransferTransaction): bigint => transfers[0]?.acceptingBlueScore ?? 0n

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
