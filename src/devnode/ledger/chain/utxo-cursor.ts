import type { ChainNetwork } from '../../../model/network.js'
import type { BlockContext, LedgerBlock } from '../block.js'
import type { UtxoSet } from '../utxo/utxo-set.js'
import { acceptMergeset, type Acceptance, type ValidationContext } from './acceptance.js'
import type { Dag } from './dag.js'
import { chainPath } from './selected-chain.js'
import { DISQUALIFIED, hasValidTransactions, hasExpectedCommitments, type UtxoValidity } from './utxo-validity.js'
import { haveSamePast, type Virtual } from './virtual.js'

/** The block whose view the UTXO set has: virtual between updates, a chain block during an update. */
type Position = { readonly at: 'virtual' } | { readonly at: 'block'; readonly hash: string }

/**
 * Moves the UTXO set between blocks along selected parents: back by undoing diffs, forward by validating and applying
 * them.
 */
export class UtxoCursor {
  readonly #validities: Map<string, UtxoValidity>
  #virtual: Virtual
  #position: Position = { at: 'virtual' }

  constructor(
    readonly dag: Dag,
    readonly utxos: UtxoSet,
    readonly network: ChainNetwork,
    readonly validation: ValidationContext,
    virtual: Virtual,
    validities: ReadonlyMap<string, UtxoValidity> = new Map(),
  ) {
    this.#virtual = virtual
    this.#validities = new Map(validities)
  }

  /** An independent cursor over a copy of the DAG. */
  copy(dag: Dag): UtxoCursor {
    return new UtxoCursor(dag, this.utxos.copy(), this.network, this.validation, this.#virtual, this.#validities)
  }

  get virtual(): Virtual {
    return this.#virtual
  }

  /** The acceptance data of a block; undefined unless it was validated as a chain block. */
  acceptanceOf(hash: string): Acceptance | undefined {
    const validity = this.#validities.get(hash)
    return validity?.status === 'valid' ? validity.acceptance : undefined
  }

  /** Marks a block created from `acceptance` as valid. */
  markValid(hash: string, acceptance: Acceptance): void {
    this.#validities.set(hash, { status: 'valid', acceptance })
  }

  /** Accepts the mergeset of `context`; moves the UTXO set to the selected parent unless virtual has the same past. */
  accept(context: BlockContext): Acceptance {
    if (haveSamePast(context, this.#virtual.context)) return this.#virtual.acceptance
    this.moveTo(context.ghostdag.selectedParent)
    return acceptMergeset(this.dag, context, this.utxos, this.validation)
  }

  /** Moves the UTXO set from the sink to virtual. */
  moveToVirtual(virtual: Virtual): void {
    this.#virtual = virtual
    this.utxos.apply(virtual.acceptance.diff)
    this.#position = { at: 'virtual' }
  }

  /** Moves the UTXO set to `target`, or to the last valid chain block below it. Returns the block reached. */
  moveTo(target: string): string {
    if (this.#advanceFromVirtual(target)) return target
    const from = this.#leaveVirtual()
    if (this.#validities.get(target)?.status === 'disqualified') return from
    const { removed, added } = chainPath(this.dag, from, target)
    for (const hash of removed) this.#undo(hash)
    for (const hash of added) this.#apply(this.dag.get(hash))
    return this.#currentBlock()
  }

  /** The common case: a block on virtual's parents has virtual's UTXO view, so that no diff is applied. */
  #advanceFromVirtual(target: string): boolean {
    const block = this.dag.get(target)
    if (this.#position.at !== 'virtual' || !haveSamePast(block.context, this.#virtual.context)) return false
    const validity = this.#validities.get(target) ?? this.#validate(block, this.#virtual.acceptance)
    this.#validities.set(target, validity)
    if (validity.status === 'disqualified') return false
    this.#position = { at: 'block', hash: target }
    return true
  }

  #leaveVirtual(): string {
    if (this.#position.at === 'virtual') {
      this.utxos.undo(this.#virtual.acceptance.diff)
      this.#position = { at: 'block', hash: this.#virtual.context.ghostdag.selectedParent }
    }
    return this.#currentBlock()
  }

  #currentBlock(): string {
    return this.#position.at === 'block' ? this.#position.hash : this.#virtual.context.ghostdag.selectedParent
  }

  #undo(hash: string): void {
    const acceptance = this.acceptanceOf(hash)
    if (acceptance !== undefined) this.utxos.undo(acceptance.diff)
    this.#position = { at: 'block', hash: this.dag.get(hash).context.ghostdag.selectedParent }
  }

  /** Moves one block up. A block is disqualified if it is invalid or its selected parent is. */
  #apply(block: LedgerBlock): void {
    if (block.context.ghostdag.selectedParent !== this.#currentBlock()) {
      this.#validities.set(block.hash, DISQUALIFIED)
      return
    }
    const known = this.#validities.get(block.hash)
    if (known?.status === 'disqualified') return
    const acceptance = known?.acceptance ?? acceptMergeset(this.dag, block.context, this.utxos, this.validation)
    this.utxos.apply(acceptance.diff)
    const validity = known ?? this.#validate(block, acceptance)
    this.#validities.set(block.hash, validity)
    if (validity.status === 'valid') this.#position = { at: 'block', hash: block.hash }
    else this.utxos.undo(acceptance.diff)
  }

  /** Validates a block's UTXO rules; the UTXO set must have its view. */
  #validate(block: LedgerBlock, acceptance: Acceptance): UtxoValidity {
    const isValid =
      hasExpectedCommitments(block, acceptance, this.network, this.dag.genesis) &&
      hasValidTransactions(block, this.utxos, this.validation)
    return isValid ? { status: 'valid', acceptance } : DISQUALIFIED
  }
}
