import type { ChainNetwork } from '../../../model/network.js'
import type { BlockContext, LedgerBlock } from '../block.js'
import { UtxoDraft } from '../utxo/draft.js'
import type { UtxoDiff, UtxoSet, UtxoView } from '../utxo/utxo-set.js'
import { accept, type Acceptance, type Judge } from './acceptance.js'
import { contextOf } from './context.js'
import type { Dag } from './dag.js'
import { workOf } from './difficulty.js'
import { chainPath, SelectedChain, type ChainPath } from './selected-chain.js'
import { DISQUALIFIED, holdsGoodTransactions, tellsTruth, type Verdict } from './verdict.js'
import { pickVirtualParents } from './virtual-parents.js'

/** The imaginary next block on all tips: what a client sees of the coins is what it would make of them. */
export interface Virtual {
  readonly context: BlockContext
  readonly acceptance: Acceptance
}

/** What a step changed, as listeners are told it. */
export interface ChainChange extends ChainPath {
  readonly coins: UtxoDiff
}

/** Where the set of coins stands: at virtual between steps, at the past of a chain block while one is under way. */
type Position = { readonly at: 'virtual' } | { readonly at: 'block'; readonly hash: string }

/** The chain through the DAG, and the coins at its end. */
export class ChainState {
  readonly chain: SelectedChain
  readonly coins: UtxoSet
  readonly #verdicts: Map<string, Verdict>
  /** Tips of branches that nobody builds on any more. */
  readonly #abandoned: Set<string>
  #virtual: Virtual
  #position: Position = { at: 'virtual' }

  private constructor(
    readonly dag: Dag,
    readonly network: ChainNetwork,
    readonly judge: Judge,
    parts: ChainParts,
  ) {
    this.chain = parts.chain
    this.coins = parts.coins
    this.#verdicts = parts.verdicts
    this.#abandoned = parts.abandoned
    this.#virtual = parts.virtual
  }

  /** The state right after genesis. */
  static begin(dag: Dag, network: ChainNetwork, judge: Judge, coins: UtxoSet): ChainState {
    const { genesis } = dag
    const context = contextOf(dag, [genesis], workOfBlock(dag))
    const virtual = { context, acceptance: accept(dag, context, coins, judge) }
    const parts = {
      chain: new SelectedChain([genesis]),
      coins,
      verdicts: new Map(),
      abandoned: new Set<string>(),
      virtual,
    }
    return new ChainState(dag, network, judge, parts)
  }

  copy(): ChainState {
    return new ChainState(this.dag.copy(), this.network, this.judge, {
      chain: this.chain.copy(),
      coins: this.coins.copy(),
      verdicts: new Map(this.#verdicts),
      abandoned: new Set(this.#abandoned),
      virtual: this.#virtual,
    })
  }

  get virtual(): Virtual {
    return this.#virtual
  }

  get sink(): LedgerBlock {
    return this.dag.get(this.chain.sink)
  }

  /** What a block accepted; undefined where it never came to be a chain block. */
  acceptanceOf(hash: string): Acceptance | undefined {
    const verdict = this.#verdicts.get(hash)
    return verdict?.status === 'valid' ? verdict.acceptance : undefined
  }

  contextOf(parents: readonly string[]): BlockContext {
    return contextOf(this.dag, parents, workOfBlock(this.dag))
  }

  /** Adds a block that was made from `acceptance` here and needs no judging. The chain takes notice at `update`. */
  insertMined(block: LedgerBlock, acceptance: Acceptance): void {
    this.#verdicts.set(block.hash, { status: 'valid', acceptance })
    this.dag.insert(block)
  }

  /** Adds a block from outside. Whether it may be a chain block is found out when it matters. */
  insert(block: LedgerBlock): void {
    this.dag.insert(block)
  }

  /** Leaves a branch behind: no block will merge its tip, until somebody builds on it. */
  abandon(tip: string): void {
    this.#abandoned.add(tip)
  }

  /**
   * What a block on these parents would make of its mergeset, and the coins that its own transactions could spend then.
   * The parents may be anywhere in the DAG: until `update`, `coins` stand there and are nobody else's to read.
   */
  standOn(parents: readonly string[]): Virtual & { readonly coins: UtxoView } {
    const context = this.contextOf(parents)
    this.#moveTo(context.ghostdag.selectedParent)
    const acceptance = this.#accept(context)
    return { context, acceptance, coins: new UtxoDraft(this.coins, acceptance.diff) }
  }

  /** Finds sink and virtual anew, and tells what has changed for a client since the last time. */
  update(): ChainChange {
    const before = this.chain.sink
    const { sink, others } = this.#findSink()
    const context = this.contextOf(pickVirtualParents(this.dag, sink, others))
    this.#virtual = { context, acceptance: this.#accept(context) }
    this.coins.apply(this.#virtual.acceptance.diff)
    this.#position = { at: 'virtual' }
    const path = chainPath(this.dag, before, sink)
    this.chain.follow(path)
    return { ...path, coins: this.coins.takeChanges() }
  }

  /** The heaviest block that may be a chain block, and the tips beside it; where a tip may not, its parents are asked. */
  #findSink(): { readonly sink: string; readonly others: readonly string[] } {
    let queue: readonly string[] = this.dag.tips().filter((tip) => !this.#abandoned.has(tip))
    for (;;) {
      const [candidate, ...others] = queue
      if (candidate === undefined) throw new RangeError('Genesis is always a valid sink')
      if (this.#moveTo(candidate) === candidate) return { sink: candidate, others }
      const { parents } = this.dag.get(candidate).context
      const hidden = parents.filter((parent) => !this.dag.isInPastOfAny(parent, others))
      queue = this.dag.heaviestFirst([...others, ...hidden])
    }
  }

  /** Moves the coins to the past of `target`, or of the last block on its chain that may be one; tells which. */
  #moveTo(target: string): string {
    const from = this.#leaveVirtual()
    if (this.#verdicts.get(target)?.status === 'disqualified') return from
    const { removed, added } = chainPath(this.dag, from, target)
    for (const hash of removed) this.coins.undo(this.#diffOf(hash))
    const last = removed.at(-1)
    let reached = last === undefined ? from : this.dag.get(last).context.ghostdag.selectedParent
    for (const hash of added) if (this.#advance(reached, hash)) reached = hash
    this.#position = { at: 'block', hash: reached }
    return reached
  }

  #leaveVirtual(): string {
    if (this.#position.at === 'block') return this.#position.hash
    this.coins.undo(this.#virtual.acceptance.diff)
    this.#position = { at: 'block', hash: this.chain.sink }
    return this.chain.sink
  }

  /** One block up the chain, where it may be a chain block; `reached` is where the coins stand. */
  #advance(reached: string, hash: string): boolean {
    const verdict = this.#verdicts.get(hash) ?? this.#judge(reached, this.dag.get(hash))
    this.#verdicts.set(hash, verdict)
    if (verdict.status === 'disqualified') return false
    this.coins.apply(verdict.acceptance.diff)
    return true
  }

  #judge(reached: string, block: LedgerBlock): Verdict {
    if (block.context.ghostdag.selectedParent !== reached) return DISQUALIFIED
    const acceptance = this.#accept(block.context)
    if (!tellsTruth(block, acceptance, this.network)) return DISQUALIFIED
    this.coins.apply(acceptance.diff)
    const isGood = holdsGoodTransactions(block, this.coins, this.judge)
    this.coins.undo(acceptance.diff)
    return isGood ? { status: 'valid', acceptance } : DISQUALIFIED
  }

  /** Virtual has done the work already where the block has its parents: the usual case. */
  #accept(context: BlockContext): Acceptance {
    const { parents } = this.#virtual.context
    const isVirtual =
      parents.length === context.parents.length && parents.every((hash) => context.parents.includes(hash))
    return isVirtual ? this.#virtual.acceptance : accept(this.dag, context, this.coins, this.judge)
  }

  #diffOf(hash: string): UtxoDiff {
    return this.acceptanceOf(hash)?.diff ?? { removed: [], added: [] }
  }
}

interface ChainParts {
  readonly chain: SelectedChain
  readonly coins: UtxoSet
  readonly verdicts: Map<string, Verdict>
  readonly abandoned: Set<string>
  readonly virtual: Virtual
}

const workOfBlock =
  (dag: Dag) =>
  (hash: string): bigint =>
    workOf(dag.get(hash).header.bits)
