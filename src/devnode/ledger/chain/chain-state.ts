import type { ChainNetwork } from '../../../model/network.js'
import type { BlockContext, LedgerBlock } from '../block.js'
import { UtxoDraft, type UtxoDiff, type UtxoSet, type UtxoView } from '../utxo-set.js'
import { acceptMergeset, type Acceptance, type ValidationContext } from './acceptance.js'
import { UtxoCursor } from './utxo-cursor.js'
import { contextOf } from './context.js'
import type { Dag } from './dag.js'
import { workOf } from '../params.js'
import { chainPath, SelectedChain, type ChainPath, pickVirtualParents, type Virtual } from './virtual-chain.js'

/** Changes of the virtual chain and the UTXO set since the last update. */
export interface ChainChange extends ChainPath {
  readonly utxos: UtxoDiff
}

/** The DAG, its selected chain, virtual, and the UTXO set of virtual. */
export class ChainState {
  private constructor(
    readonly dag: Dag,
    readonly chain: SelectedChain,
    readonly utxoCursor: UtxoCursor,
    /** Tips excluded from the selection of sink and virtual parents. */
    private readonly abandoned: Set<string>,
  ) {}

  static atGenesis(dag: Dag, network: ChainNetwork, validation: ValidationContext, utxos: UtxoSet): ChainState {
    const context = contextOf(dag, [dag.genesis], workOfBlock(dag))
    const virtual = { context, acceptance: acceptMergeset(dag, context, utxos, validation) }
    return new ChainState(
      dag,
      new SelectedChain([dag.genesis]),
      new UtxoCursor(dag, utxos, network, validation, virtual),
      new Set(),
    )
  }

  copy(): ChainState {
    const dag = this.dag.copy()
    return new ChainState(dag, this.chain.copy(), this.utxoCursor.copy(dag), new Set(this.abandoned))
  }

  get network(): ChainNetwork {
    return this.utxoCursor.network
  }

  get validation(): ValidationContext {
    return this.utxoCursor.validation
  }

  get virtual(): Virtual {
    return this.utxoCursor.virtual
  }

  get utxos(): UtxoSet {
    return this.utxoCursor.utxos
  }

  get sink(): LedgerBlock {
    return this.dag.get(this.chain.sink)
  }

  /** The acceptance data of a block; undefined unless it was validated as a chain block. */
  acceptanceOf(hash: string): Acceptance | undefined {
    return this.utxoCursor.acceptanceOf(hash)
  }

  contextOf(parents: readonly string[]): BlockContext {
    return contextOf(this.dag, parents, workOfBlock(this.dag))
  }

  /** Adds a block created from `acceptance`, which is not validated. Chain and virtual change at `update`. */
  insertMined(block: LedgerBlock, acceptance: Acceptance): void {
    this.utxoCursor.markValid(block.hash, acceptance)
    this.dag.insert(block)
  }

  /** Adds a submitted block. Its UTXO rules are validated when it becomes a chain candidate. */
  insert(block: LedgerBlock): void {
    this.dag.insert(block)
  }

  /** Excludes a tip: no mined block merges it until a submitted block builds on it. */
  abandon(tip: string): void {
    this.abandoned.add(tip)
  }

  /** The abandoned tips. */
  get abandonedTips(): readonly string[] {
    return [...this.abandoned]
  }

  /**
   * Virtual on the given parents, with the UTXOs that transactions of such a block can spend. The parents may be
   * anywhere in the DAG. The UTXO set is moved there, and must not be read elsewhere until `update`.
   */
  virtualOn(parents: readonly string[]): Virtual & { readonly utxos: UtxoView } {
    const context = this.contextOf(parents)
    this.utxoCursor.moveTo(context.ghostdag.selectedParent)
    const acceptance = this.utxoCursor.accept(context)
    return { context, acceptance, utxos: new UtxoDraft(this.utxos, acceptance.diff) }
  }

  /** Recomputes sink and virtual. Returns the changes since the last call. */
  update(): ChainChange {
    const before = this.chain.sink
    const { sink, others } = this.#findSink()
    const context = this.contextOf(pickVirtualParents(this.dag, sink, others))
    this.utxoCursor.moveToVirtual({ context, acceptance: this.utxoCursor.accept(context) })
    const path = chainPath(this.dag, before, sink)
    this.chain.apply(path)
    return { ...path, utxos: this.utxos.takeChanges() }
  }

  /** The heaviest valid chain candidate, and the other tips. A disqualified tip is replaced by its parents. */
  #findSink(): { readonly sink: string; readonly others: readonly string[] } {
    let queue: readonly string[] = this.dag.tips().filter((tip) => !this.abandoned.has(tip))
    for (;;) {
      const [candidate, ...others] = queue
      if (candidate === undefined) throw new RangeError('Genesis is always a valid sink')
      if (this.utxoCursor.moveTo(candidate) === candidate) return { sink: candidate, others }
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

/** The chain block that merged a block; undefined if it is unmerged or merged by virtual only. */
export function mergerOf({ dag, chain }: ChainState, hash: string): LedgerBlock | undefined {
  const block = dag.find(hash)
  if (block === undefined) return undefined
  const { blueWork } = block.context.ghostdag
  for (
    let index = firstIndexWhere(chain.length, (at) => dag.sortable(chain.at(at)).blueWork > blueWork);
    index < chain.length;
    index++
  ) {
    const merger = dag.get(chain.at(index))
    if (merger.context.ghostdag.mergeset.includes(hash)) return merger
  }
  return undefined
}

/** Binary search: the first index below `length` that meets a monotonic condition, else `length`. */
export function firstIndexWhere(length: number, holds: (index: number) => boolean): number {
  let low = 0
  let high = length
  while (low < high) {
    const middle = (low + high) >> 1
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return low
}
