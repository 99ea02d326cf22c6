import type { ChainNetwork } from '../../../model/network.js'
import type { BlockContext, LedgerBlock } from '../block.js'
import type { UtxoSet } from '../utxo/utxo-set.js'
import { accept, type Acceptance, type Judge } from './acceptance.js'
import type { Dag } from './dag.js'
import { chainPath } from './selected-chain.js'
import { DISQUALIFIED, holdsGoodTransactions, tellsTruth, type Verdict } from './verdict.js'
import { haveSamePast, type Virtual } from './virtual.js'

/** Where the coins stand: at virtual between steps, in the past of a chain block while a step is under way. */
type Position = { readonly at: 'virtual' } | { readonly at: 'block'; readonly hash: string }

/** The coins, and the ways they go: from block to block along selected parents, back by undoing, forward by judging and applying. */
export class CoinWalk {
  readonly #verdicts: Map<string, Verdict>
  #virtual: Virtual
  #position: Position = { at: 'virtual' }

  constructor(
    readonly dag: Dag,
    readonly coins: UtxoSet,
    readonly network: ChainNetwork,
    readonly judge: Judge,
    virtual: Virtual,
    verdicts: ReadonlyMap<string, Verdict> = new Map(),
  ) {
    this.#virtual = virtual
    this.#verdicts = new Map(verdicts)
  }

  /** A walk of its own over a copy of the DAG. */
  copy(dag: Dag): CoinWalk {
    return new CoinWalk(dag, this.coins.copy(), this.network, this.judge, this.#virtual, this.#verdicts)
  }

  get virtual(): Virtual {
    return this.#virtual
  }

  /** What a block accepted; undefined where it never came to be a chain block. */
  acceptanceOf(hash: string): Acceptance | undefined {
    const verdict = this.#verdicts.get(hash)
    return verdict?.status === 'valid' ? verdict.acceptance : undefined
  }

  /** A block that was made from `acceptance` here needs no judging. */
  trust(hash: string, acceptance: Acceptance): void {
    this.#verdicts.set(hash, { status: 'valid', acceptance })
  }

  /** What a block in that place would make of its mergeset; the coins stand in the past of its selected parent then. */
  accept(context: BlockContext): Acceptance {
    if (haveSamePast(context, this.#virtual.context)) return this.#virtual.acceptance
    this.moveTo(context.ghostdag.selectedParent)
    return accept(this.dag, context, this.coins, this.judge)
  }

  /** Takes the coins from the sink, where they stand, on to virtual. */
  enter(virtual: Virtual): void {
    this.#virtual = virtual
    this.coins.apply(virtual.acceptance.diff)
    this.#position = { at: 'virtual' }
  }

  /** Moves the coins to the past of `target`, or of the last block on its chain that may be a chain block; tells which. */
  moveTo(target: string): string {
    if (this.#stepsUp(target)) return target
    const from = this.#leaveVirtual()
    if (this.#verdicts.get(target)?.status === 'disqualified') return from
    const { removed, added } = chainPath(this.dag, from, target)
    for (const hash of removed) this.#retreat(hash)
    for (const hash of added) this.#advance(this.dag.get(hash))
    return this.#standing()
  }

  /** A block on virtual's parents sees what virtual sees: the coins stand there already. This is the usual case. */
  #stepsUp(target: string): boolean {
    const block = this.dag.get(target)
    if (this.#position.at !== 'virtual' || !haveSamePast(block.context, this.#virtual.context)) return false
    const verdict = this.#verdicts.get(target) ?? this.#judge(block, this.#virtual.acceptance)
    this.#verdicts.set(target, verdict)
    if (verdict.status === 'disqualified') return false
    this.#position = { at: 'block', hash: target }
    return true
  }

  #leaveVirtual(): string {
    if (this.#position.at === 'virtual') {
      this.coins.undo(this.#virtual.acceptance.diff)
      this.#position = { at: 'block', hash: this.#virtual.context.ghostdag.selectedParent }
    }
    return this.#standing()
  }

  #standing(): string {
    return this.#position.at === 'block' ? this.#position.hash : this.#virtual.context.ghostdag.selectedParent
  }

  #retreat(hash: string): void {
    const acceptance = this.acceptanceOf(hash)
    if (acceptance !== undefined) this.coins.undo(acceptance.diff)
    this.#position = { at: 'block', hash: this.dag.get(hash).context.ghostdag.selectedParent }
  }

  /** One block up the chain; it stays below where the block, or one beneath it, may not be a chain block. */
  #advance(block: LedgerBlock): void {
    if (block.context.ghostdag.selectedParent !== this.#standing()) {
      this.#verdicts.set(block.hash, DISQUALIFIED)
      return
    }
    const known = this.#verdicts.get(block.hash)
    if (known?.status === 'disqualified') return
    const acceptance = known?.acceptance ?? accept(this.dag, block.context, this.coins, this.judge)
    this.coins.apply(acceptance.diff)
    const verdict = known ?? this.#judge(block, acceptance)
    this.#verdicts.set(block.hash, verdict)
    if (verdict.status === 'valid') this.#position = { at: 'block', hash: block.hash }
    else this.coins.undo(acceptance.diff)
  }

  /** Whether a block may be a chain block; the coins stand in its past. */
  #judge(block: LedgerBlock, acceptance: Acceptance): Verdict {
    const isGood =
      tellsTruth(block, acceptance, this.network, this.dag.genesis) &&
      holdsGoodTransactions(block, this.coins, this.judge)
    return isGood ? { status: 'valid', acceptance } : DISQUALIFIED
  }
}
