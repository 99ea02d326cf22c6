import type { ChainNetwork } from '../../../model/network.js'
import { type BlockContext, type LedgerBlock, createCoinbase } from '../block.js'
import type { UtxoSet, UtxoView } from '../utxo-set.js'
import {
  acceptMergeset,
  type Acceptance,
  type ValidationContext,
  findUtxos,
  validateInUtxoContext,
} from './acceptance.js'
import type { Dag } from './dag.js'
import { chainPath, haveSamePast, type Virtual } from './virtual-chain.js'
import { SUBSIDIES } from '../params.js'
import { toKnownTransaction } from '../transaction.js'

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

/**
 * Whether a block can be a chain block. A disqualified block is still merged, and its valid transactions are accepted.
 */
type UtxoValidity = { readonly status: 'valid'; readonly acceptance: Acceptance } | { readonly status: 'disqualified' }

const DISQUALIFIED: UtxoValidity = { status: 'disqualified' }

/** Whether the header commitments and the coinbase equal those computed from the past. */
function hasExpectedCommitments(
  { header, transactions, context, miner, subsidy }: LedgerBlock,
  acceptance: Acceptance,
  network: ChainNetwork,
  pruningPoint: string,
): boolean {
  const { ghostdag, outsideDaaWindow } = context
  const payload = { blueScore: ghostdag.blueScore, subsidy, miner }
  const coinbase = toKnownTransaction(createCoinbase(payload, ghostdag, acceptance.rewards, outsideDaaWindow))
  return (
    header.acceptedIdMerkleRoot === acceptance.acceptedIdMerkleRoot &&
    header.utxoCommitment === acceptance.utxoCommitment &&
    header.parentsByLevel[0]?.[0] === ghostdag.selectedParent &&
    header.pruningPoint === pruningPoint &&
    subsidy === SUBSIDIES[network] &&
    transactions[0]?.hash === coinbase.hash
  )
}

/** Whether all transactions of a block are valid. `utxos` is the set in its past. */
function hasValidTransactions(
  { transactions, context }: LedgerBlock,
  utxos: UtxoView,
  validation: ValidationContext,
): boolean {
  const inclusion = { ...context, coinbaseMaturity: validation.coinbaseMaturity }
  return transactions.slice(1).every((known) => {
    const spent = findUtxos(known, utxos)
    return (
      spent !== undefined && validateInUtxoContext(known, spent, inclusion, validation.verificationCache) === undefined
    )
  })
}
