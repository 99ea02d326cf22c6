import type { ChainNetwork } from '../../../model/network.js'
import type { BlockContext, LedgerBlock } from '../block.js'
import { UtxoDraft } from '../utxo/draft.js'
import type { UtxoDiff, UtxoSet, UtxoView } from '../utxo/utxo-set.js'
import { accept, type Acceptance, type Judge } from './acceptance.js'
import { CoinWalk } from './coin-walk.js'
import { contextOf } from './context.js'
import type { Dag } from './dag.js'
import { workOf } from './difficulty.js'
import { chainPath, SelectedChain, type ChainPath } from './selected-chain.js'
import type { Virtual } from './virtual.js'
import { pickVirtualParents } from './virtual-parents.js'

/** What a step changed, as listeners are told it. */
export interface ChainChange extends ChainPath {
  readonly coins: UtxoDiff
}

/** The chain through the DAG, virtual at its end, and the coins that virtual sees. */
export class ChainState {
  private constructor(
    readonly dag: Dag,
    readonly chain: SelectedChain,
    readonly walk: CoinWalk,
    /** Tips of branches that nobody builds on any more. */
    private readonly abandoned: Set<string>,
  ) {}

  /** The state right after genesis. */
  static begin(dag: Dag, network: ChainNetwork, judge: Judge, coins: UtxoSet): ChainState {
    const context = contextOf(dag, [dag.genesis], workOfBlock(dag))
    const virtual = { context, acceptance: accept(dag, context, coins, judge) }
    return new ChainState(
      dag,
      new SelectedChain([dag.genesis]),
      new CoinWalk(dag, coins, network, judge, virtual),
      new Set(),
    )
  }

  copy(): ChainState {
    const dag = this.dag.copy()
    return new ChainState(dag, this.chain.copy(), this.walk.copy(dag), new Set(this.abandoned))
  }

  get network(): ChainNetwork {
    return this.walk.network
  }

  get judge(): Judge {
    return this.walk.judge
  }

  get virtual(): Virtual {
    return this.walk.virtual
  }

  get coins(): UtxoSet {
    return this.walk.coins
  }

  get sink(): LedgerBlock {
    return this.dag.get(this.chain.sink)
  }

  /** What a block accepted; undefined where it never came to be a chain block. */
  acceptanceOf(hash: string): Acceptance | undefined {
    return this.walk.acceptanceOf(hash)
  }

  contextOf(parents: readonly string[]): BlockContext {
    return contextOf(this.dag, parents, workOfBlock(this.dag))
  }

  /** Adds a block that was made from `acceptance` here and needs no judging. The chain takes notice at `update`. */
  insertMined(block: LedgerBlock, acceptance: Acceptance): void {
    this.walk.trust(block.hash, acceptance)
    this.dag.insert(block)
  }

  /** Adds a block from outside. Whether it may be a chain block is found out when it matters. */
  insert(block: LedgerBlock): void {
    this.dag.insert(block)
  }

  /** Leaves a branch behind: no block will merge its tip, until somebody builds on it. */
  abandon(tip: string): void {
    this.abandoned.add(tip)
  }

  /**
   * What a block on these parents would make of its mergeset, and the coins that its own transactions could spend then.
   * The parents may be anywhere in the DAG: until `update`, the coins stand there and are nobody else's to read.
   */
  standOn(parents: readonly string[]): Virtual & { readonly coins: UtxoView } {
    const context = this.contextOf(parents)
    this.walk.moveTo(context.ghostdag.selectedParent)
    const acceptance = this.walk.accept(context)
    return { context, acceptance, coins: new UtxoDraft(this.coins, acceptance.diff) }
  }

  /** Finds sink and virtual anew, and tells what has changed for a client since the last time. */
  update(): ChainChange {
    const before = this.chain.sink
    const { sink, others } = this.#findSink()
    const context = this.contextOf(pickVirtualParents(this.dag, sink, others))
    this.walk.enter({ context, acceptance: this.walk.accept(context) })
    const path = chainPath(this.dag, before, sink)
    this.chain.follow(path)
    return { ...path, coins: this.coins.takeChanges() }
  }

  /** The heaviest block that may be a chain block, and the tips beside it; where a tip may not, its parents are asked. */
  #findSink(): { readonly sink: string; readonly others: readonly string[] } {
    let queue: readonly string[] = this.dag.tips().filter((tip) => !this.abandoned.has(tip))
    for (;;) {
      const [candidate, ...others] = queue
      if (candidate === undefined) throw new RangeError('Genesis is always a valid sink')
      if (this.walk.moveTo(candidate) === candidate) return { sink: candidate, others }
      const { parents } = this.dag.get(candidate).context
      const hidden = parents.filter((parent) => !this.dag.isInPastOfAny(parent, others))
      queue = this.dag.heaviestFirst([...others, ...hidden])
    }
  }
}

const workOfBlock =
  (dag: Dag) =>
  (hash: string): bigint =>
    workOf(dag.get(hash).header.bits)
