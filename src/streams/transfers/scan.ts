import type { ChainBatch } from '../chain/batch.js'
import { extractTransfers, type AddressFilter } from './extract.js'
import { SpentOutputs } from './spent-outputs.js'
import type { Transfer, TransferTransaction } from './transfer.js'

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
