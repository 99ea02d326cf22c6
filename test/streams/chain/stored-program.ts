import { type CoreParts, feature } from '../../../src/engine/core-parts.js'
import { chain } from '../../../src/engine/features/chain.js'
import type { ChainBlock, ChainTransactionId } from '../../../src/streams/chain/batch.js'
import type { ChainBatches } from '../../../src/streams/chain/follow-chain.js'
import type { FollowChainOptions } from '../../../src/streams/chain/options.js'
import { StoredRows } from './stored-rows.js'

/** An end of the process, and the start of another one: after so many batches, the last of which is stored or not. */
export interface Crash {
  readonly after: 'rows written' | 'batch received'
  readonly batches: number
}

/** A program that follows the chain into rows, crashes, and starts again from what it stored. */
export class StoredProgram {
  readonly failures: unknown[] = []
  #run: { readonly core: CoreParts; readonly batches: ChainBatches<ChainBlock<ChainTransactionId>> } | undefined
  #crash: Crash | undefined

  constructor(
    readonly open: () => CoreParts,
    readonly options: FollowChainOptions,
    readonly stored = new StoredRows(),
  ) {}

  /** Starts a new process; `more` are options of this one. */
  start(more: FollowChainOptions = {}): void {
    const core = this.open()
    const { cursor } = this.stored
    const start = cursor === undefined ? ({ from: 'pruning-point' } as const) : { cursor }
    const options = { ...this.options, ...start, ...more, detail: this.options.detail as 'ids' }
    const run = { core, batches: feature(core, chain).followChain(options) }
    this.#run = run
    this.#consume(run.batches).catch((error: unknown) => {
      if (this.#run === run) this.failures.push(error)
    })
  }

  crash(crash: Crash): void {
    this.#crash = crash
    if (crash.batches === 0) this.restart()
  }

  /** Ends the process and starts another one. */
  restart(more?: FollowChainOptions): void {
    this.#crash = undefined
    void this.stop()
    this.start(more)
  }

  async stop(): Promise<void> {
    const run = this.#run
    this.#run = undefined
    await run?.core.dispose()
  }

  async #consume(batches: ChainBatches<ChainBlock<ChainTransactionId>>): Promise<void> {
    for await (const batch of batches) {
      if (this.#run?.batches !== batches) return
      const isDue = this.#crash !== undefined && this.#crash.batches <= 1
      if (this.#crash !== undefined) this.#crash = { ...this.#crash, batches: this.#crash.batches - 1 }
      if (isDue && this.#crash?.after === 'batch received') {
        this.restart()
        return
      }
      this.stored.apply(batch)
      if (isDue) {
        this.restart()
        return
      }
    }
  }
}
