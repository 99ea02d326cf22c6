import { ByteWriter } from '../../../model/bytes.js'
import { blake2b256 } from '../../../model/hashing.js'
import { toHex } from '../../../model/hex.js'
import type { UtxoEntry } from '../../../model/utxo.js'
import type { BlockContext, LedgerBlock, Reward } from '../block.js'
import { type AcceptedTransaction, type KnownTransaction, utxosOf } from '../transaction.js'
import { type Addresses, UtxoDraft, type UtxoDiff, type UtxoView } from '../utxo-set.js'
import {
  feeOf,
  validateSequenceLocks,
  validateAmounts,
  validateMaturity,
  type InclusionContext,
  type VerificationCache,
  validateCovenantIds,
} from '../rules/spending.js'
import { firstViolation, type Violation } from '../../../model/transaction-rules/violation.js'
import type { Dag } from './dag.js'

export interface ValidationContext {
  readonly coinbaseMaturity: bigint
  readonly addresses: Addresses
  readonly verificationCache: VerificationCache
}

/** The accepted transactions of one merged block. */
export interface MergedBlock {
  readonly hash: string
  /** In block order. Only the coinbase of the selected parent is accepted. */
  readonly accepted: readonly AcceptedTransaction[]
}

/** The result of accepting a mergeset: accepted transactions, rewards, UTXO changes and header commitments. */
export interface Acceptance {
  /** In consensus order, the selected parent first. */
  readonly merged: readonly MergedBlock[]
  readonly rewards: ReadonlyMap<string, Reward>
  /** UTXO changes from the past of the selected parent to the past of this block. */
  readonly diff: UtxoDiff
  readonly acceptedIdMerkleRoot: string
  readonly utxoCommitment: string
}

/**
 * Accepts the valid transactions of a mergeset in consensus order. `utxos` is the set in the past of the selected
 * parent.
 */
export function acceptMergeset(
  dag: Dag,
  context: BlockContext,
  utxos: UtxoView,
  validation: ValidationContext,
): Acceptance {
  const draft = new UtxoDraft(utxos)
  const inclusion = { ...context, coinbaseMaturity: validation.coinbaseMaturity }
  const merged: MergedBlock[] = []
  const rewards = new Map<string, Reward>()
  for (const hash of context.ghostdag.mergeset) {
    const block = dag.get(hash)
    const accepted = acceptBlock(block, hash === context.ghostdag.selectedParent, draft, inclusion, validation)
    const fees = accepted.reduce(
      (sum, { known, spent }) => (spent.length === 0 ? sum : sum + feeOf(known.transaction, spent)),
      0n,
    )
    merged.push({ hash, accepted })
    rewards.set(hash, { subsidy: block.subsidy, fees, miner: block.miner })
  }
  const parent = dag.get(context.ghostdag.selectedParent)
  return { merged, rewards, diff: draft.diff(), ...commitments(parent, merged, context.daaScore) }
}

/** The spent UTXOs by input; undefined if one is missing. */
export function findUtxos({ transaction }: KnownTransaction, utxos: UtxoView): readonly UtxoEntry[] | undefined {
  const spent = transaction.inputs.map(({ previousOutpoint }) => utxos.get(previousOutpoint))
  return spent.every((entry) => entry !== undefined) ? spent : undefined
}

/** The rules that depend on the spent UTXOs. */
export function validateInUtxoContext(
  known: KnownTransaction,
  spent: readonly UtxoEntry[],
  inclusion: InclusionContext,
  verificationCache: VerificationCache,
): Violation {
  return firstViolation([
    () => validateMaturity(spent, inclusion),
    () => validateAmounts(known.transaction, spent),
    () => validateSequenceLocks(known.transaction, spent, inclusion),
    () => validateCovenantIds(known.transaction, spent),
    () => verificationCache.validate(known, spent),
  ])
}

function acceptBlock(
  { transactions }: LedgerBlock,
  isSelectedParent: boolean,
  draft: UtxoDraft,
  inclusion: InclusionContext,
  validation: ValidationContext,
): readonly AcceptedTransaction[] {
  const accepted: AcceptedTransaction[] = []
  for (const [index, known] of transactions.entries()) {
    const spent = index === 0 ? coinbaseUtxos(isSelectedParent) : acceptableUtxos(known, draft, inclusion, validation)
    if (spent === undefined) continue
    for (const entry of spent) draft.spend(entry)
    for (const entry of utxosOf(known, inclusion.daaScore, validation.addresses)) draft.create(entry)
    accepted.push({ known, spent })
  }
  return accepted
}

/** A coinbase spends no UTXOs; only that of the selected parent is accepted. */
const coinbaseUtxos = (isSelectedParent: boolean): readonly UtxoEntry[] | undefined =>
  isSelectedParent ? [] : undefined

function acceptableUtxos(
  known: KnownTransaction,
  draft: UtxoDraft,
  inclusion: InclusionContext,
  validation: ValidationContext,
): readonly UtxoEntry[] | undefined {
  const spent = findUtxos(known, draft)
  return spent !== undefined &&
    validateInUtxoContext(known, spent, inclusion, validation.verificationCache) === undefined
    ? spent
    : undefined
}

/**
 * Header commitments to accepted transactions and the UTXO set. A node of 2.x commits to sequencing lanes and to a
 * multiplicative hash of the UTXO set. Here both are chained hashes of accepted ids, which determine the UTXO set.
 * Clients cannot distinguish them, and the rules of this network only compare them for equality.
 */
function commitments(
  { header }: LedgerBlock,
  merged: readonly MergedBlock[],
  daaScore: bigint,
): Pick<Acceptance, 'acceptedIdMerkleRoot' | 'utxoCommitment'> {
  const writer = new ByteWriter(1024).hex(header.acceptedIdMerkleRoot)
  for (const { accepted } of merged) for (const { known } of accepted) writer.hex(known.id)
  const root = blake2b256(writer.written())
  const utxos = blake2b256(new ByteWriter(72).hex(header.utxoCommitment).bytes(root).u64(daaScore).written())
  return { acceptedIdMerkleRoot: toHex(root), utxoCommitment: toHex(utxos) }
}
