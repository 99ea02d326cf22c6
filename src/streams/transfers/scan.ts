import type { ChainBatch } from '../chain/batch.js'
import { extractTransfers, type AddressFilter } from './extract.js'
import type { TransferTransaction } from './transfer.js'

/** How many of the newest blocks a scan knows by hash. */
const MAX_BLOCKS = 10_000

/** What a chain moved after a block, up to the newest batch. Mutable: a scan of a long history is appended to, never copied. */
export class Scan {
  #transactions: TransferTransaction[] = []
  readonly #scores = new Map<string, bigint>()

  constructor(private readonly filter: AddressFilter) {}

  /** Undoes what the rollback of a batch undoes, and adds what its blocks accepted. */
  add({ rollback, blocks }: Pick<ChainBatch, 'rollback' | 'blocks'>): void {
    if (rollback !== null) this.#rollBack(rollback.blueScore)
    for (const block of blocks) {
      this.#scores.set(block.hash, block.blueScore)
      this.#transactions.push(...extractTransfers(block, this.filter))
    }
    for (const hash of this.#scores.keys()) {
      if (this.#scores.size <= MAX_BLOCKS) return
      this.#scores.delete(hash)
    }
  }

  /** Whether a block is among the newest of the scanned chain. */
  has(hash: string): boolean {
    return this.#scores.has(hash)
  }

  /** The transactions up to a blue score; all by default. */
  transactions(blueScore?: bigint): readonly TransferTransaction[] {
    return this.#transactions.filter((one) => blueScore === undefined || scoreOf(one) <= blueScore)
  }

  #rollBack(blueScore: bigint): void {
    this.#transactions = this.#transactions.filter((one) => scoreOf(one) <= blueScore)
    for (const [hash, score] of this.#scores) if (score > blueScore) this.#scores.delete(hash)
  }
}

const scoreOf = ({ transfers }: TransferTransaction): bigint => transfers[0]?.acceptingBlueScore ?? 0n
