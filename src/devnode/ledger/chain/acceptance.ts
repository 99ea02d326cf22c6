import { ByteWriter } from '../../../model/bytes.js'
import { blake2b256 } from '../../../model/hashing.js'
import { toHex } from '../../../model/hex.js'
import type { UtxoEntry } from '../../../model/utxo.js'
import type { BlockContext, LedgerBlock } from '../block.js'
import type { Reward } from '../coinbase.js'
import type { AcceptedTransaction, KnownTransaction } from '../transaction.js'
import type { Addresses } from '../utxo/addresses.js'
import { UtxoDraft } from '../utxo/draft.js'
import { coinsOf } from '../utxo/entry.js'
import type { UtxoDiff, UtxoView } from '../utxo/utxo-set.js'
import { feeOf, objectToAges, objectToAmounts, objectToImmature, type PointOfView } from '../rules/spending.js'
import { objectToCovenantIds } from '../rules/covenants.js'
import { firstObjection, type Objection } from '../rules/objection.js'
import type { Verified } from '../rules/verified.js'
import type { Dag } from './dag.js'

/** What taking effect is judged with. */
export interface Judge {
  readonly coinbaseMaturity: bigint
  readonly addresses: Addresses
  readonly verified: Verified
}

/** What one merged block contributed. */
export interface MergedBlock {
  readonly hash: string
  /** In the block's own order; the coinbase is among them only in the selected parent. */
  readonly accepted: readonly AcceptedTransaction[]
}

/** What a block makes of its mergeset: which transactions take effect, and what of it everything else follows from. */
export interface Acceptance {
  /** In consensus order, the selected parent first. */
  readonly merged: readonly MergedBlock[]
  readonly rewards: ReadonlyMap<string, Reward>
  /** From the past of the selected parent to the past of this block. */
  readonly diff: UtxoDiff
  readonly acceptedIdMerkleRoot: string
  readonly utxoCommitment: string
}

/** Lets a mergeset take effect on the coins that the selected parent sees: each transaction that is still valid then, once. */
export function accept(dag: Dag, context: BlockContext, coins: UtxoView, judge: Judge): Acceptance {
  const draft = new UtxoDraft(coins)
  const from = { ...context, coinbaseMaturity: judge.coinbaseMaturity }
  const merged: MergedBlock[] = []
  const rewards = new Map<string, Reward>()
  for (const hash of context.ghostdag.mergeset) {
    const block = dag.get(hash)
    const accepted = acceptBlock(block, hash === context.ghostdag.selectedParent, draft, from, judge)
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

/** The coins that a transaction spends, by input; undefined where one is missing. */
export function findCoins({ transaction }: KnownTransaction, coins: UtxoView): readonly UtxoEntry[] | undefined {
  const spent = transaction.inputs.map(({ previousOutpoint }) => coins.get(previousOutpoint))
  return spent.every((entry) => entry !== undefined) ? spent : undefined
}

/** Whether a transaction may take effect, its coins being there. */
export function objectToEffect(
  known: KnownTransaction,
  spent: readonly UtxoEntry[],
  from: PointOfView,
  verified: Verified,
): Objection {
  return firstObjection([
    () => objectToImmature(spent, from),
    () => objectToAmounts(known.transaction, spent),
    () => objectToAges(known.transaction, spent, from),
    () => objectToCovenantIds(known.transaction, spent),
    () => verified.object(known, spent),
  ])
}

function acceptBlock(
  { transactions }: LedgerBlock,
  isSelectedParent: boolean,
  draft: UtxoDraft,
  from: PointOfView,
  judge: Judge,
): readonly AcceptedTransaction[] {
  const accepted: AcceptedTransaction[] = []
  for (const [index, known] of transactions.entries()) {
    const spent = index === 0 ? coinbaseCoins(isSelectedParent) : spendable(known, draft, from, judge)
    if (spent === undefined) continue
    for (const entry of spent) draft.spend(entry)
    for (const entry of coinsOf(known, from.daaScore, judge.addresses)) draft.create(entry)
    accepted.push({ known, spent })
  }
  return accepted
}

/** A coinbase spends nothing; only the selected parent's takes effect. */
const coinbaseCoins = (isSelectedParent: boolean): readonly UtxoEntry[] | undefined =>
  isSelectedParent ? [] : undefined

function spendable(
  known: KnownTransaction,
  draft: UtxoDraft,
  from: PointOfView,
  judge: Judge,
): readonly UtxoEntry[] | undefined {
  const spent = findCoins(known, draft)
  return spent !== undefined && objectToEffect(known, spent, from, judge.verified) === undefined ? spent : undefined
}

/**
 * What a header says of accepted transactions and coins. A node of 2.x commits to sequencing lanes and to a multiplicative
 * hash of all coins; here both are a chain of plain hashes over the accepted ids, which fix the coins as well. Nobody outside
 * a node can tell the difference, and no rule of this network reads more than equality.
 */
function commitments(
  { header }: LedgerBlock,
  merged: readonly MergedBlock[],
  daaScore: bigint,
): Pick<Acceptance, 'acceptedIdMerkleRoot' | 'utxoCommitment'> {
  const writer = new ByteWriter(1024).hex(header.acceptedIdMerkleRoot)
  for (const { accepted } of merged) for (const { known } of accepted) writer.hex(known.id)
  const root = blake2b256(writer.written())
  const coins = blake2b256(new ByteWriter(72).hex(header.utxoCommitment).bytes(root).u64(daaScore).written())
  return { acceptedIdMerkleRoot: toHex(root), utxoCommitment: toHex(coins) }
}
