import { isCoinbase } from '../../../model/mass.js'
import type { Transaction } from '../../../model/transaction.js'
import type { UtxoEntry } from '../../../model/utxo.js'
import type { ChainState } from '../chain/chain-state.js'
import { UNACCEPTED_DAA_SCORE } from '../params.js'
import { objectToCovenantIds } from '../rules/covenants.js'
import { objectInIsolation, objectToCounts } from '../rules/isolation.js'
import { firstObjection, nameOutpoint, type Objection } from '../rules/objection.js'
import {
  objectToAges,
  objectToAmounts,
  objectToImmature,
  objectToLockTime,
  type PointOfView,
} from '../rules/spending.js'
import { objectToFee, objectToInputs, objectToLimits, objectToOutputs, objectToStorageMass } from '../rules/standard.js'
import { know, type KnownTransaction } from '../transaction.js'
import { coinOf } from '../utxo/entry.js'
import type { Mempool } from './mempool.js'
import type { PoolEntry } from './pool.js'
import { weigh } from './weigh.js'

/** What is done about a rival in the mempool, and about a coin that nobody knows. */
export interface AdmissionPolicy {
  readonly rival: 'refuse' | 'replace'
  readonly missingCoin: 'refuse' | 'keep as orphan'
}

export type Admission =
  | { readonly kind: 'admitted'; readonly id: string; readonly replaced: KnownTransaction | undefined }
  | { readonly kind: 'orphaned'; readonly id: string }
  /** In the node's words, whole. */
  | { readonly kind: 'refused'; readonly message: string }

/** What a transaction is judged against. */
export interface Network {
  readonly state: ChainState
  readonly mempool: Mempool
}

/** Judges a transaction as the node does on `submitTransaction`, in its order, and takes it in where nothing is wrong. */
export function admit(network: Network, transaction: Transaction, policy: AdmissionPolicy): Admission {
  const unreadable = objectToFields(transaction)
  if (unreadable !== undefined) return { kind: 'refused', message: unreadable }
  const known = know(transaction)
  const refuse = (reason: string): Admission => ({
    kind: 'refused',
    message: `Rejected transaction ${known.id}: ${reason}`,
  })
  const early = objectBeforeCoins(network, known, policy)
  if (early !== undefined) return refuse(early)
  const spent = findSpent(network, known)
  if (spent === undefined) {
    const objection = objectToOrphan(network, known, policy)
    if (objection !== undefined) return refuse(objection)
    network.mempool.orphans.add(known)
    return { kind: 'orphaned', id: known.id }
  }
  const entry = weigh(known, spent)
  const late = objectToEntry(network, entry, policy)
  return late === undefined ? enter(network, entry) : refuse(late)
}

/** Orphans that wait for a transaction have a parent now: they are judged anew, and dropped where they are no good. */
export function adoptOrphans(network: Network, parent: KnownTransaction): void {
  for (const orphan of network.mempool.orphans.childrenOf(parent)) {
    if (findSpent(network, orphan) === undefined) continue
    network.mempool.orphans.remove(orphan.id)
    admit(network, orphan.transaction, { rival: 'refuse', missingCoin: 'refuse' })
  }
}

function enter(network: Network, entry: PoolEntry): Admission {
  const { pool } = network.mempool
  const [rival] = rivalsOf(network, entry.known)
  if (rival !== undefined) pool.removeWithDescendants(rival.known.id)
  pool.add(entry)
  adoptOrphans(network, entry.known)
  return { kind: 'admitted', id: entry.known.id, replaced: rival?.known }
}

/** The RPC's own check, whose words carry no id. */
function objectToFields({ version, inputs }: Transaction): Objection {
  const isWrong =
    version === 0
      ? inputs.some(({ computeBudget = 0 }) => computeBudget > 0)
      : inputs.some(({ sigOpCount }) => sigOpCount > 0)
  if (!isWrong) return undefined
  const field = version === 0 ? 'compute_budget' : 'sig_op_count'
  return `RpcTransactionInput.${field} is inconsistent with transaction version ${String(version)}`
}

function objectBeforeCoins(network: Network, known: KnownTransaction, policy: AdmissionPolicy): Objection {
  const { id, transaction } = known
  const { pool, included } = network.mempool
  const from = viewOf(network)
  return firstObjection([
    () => (isCoinbase(transaction) ? `coinbase transaction ${id} cannot be added to the mempool` : undefined),
    () => (included.has(id, from.daaScore) ? `transaction ${id} was already accepted by the consensus` : undefined),
    () => (pool.find(id) === undefined ? undefined : `transaction ${id} is already in the mempool`),
    () => objectToCounts(transaction),
    () => objectToLimits(known),
    () => objectToOutputs(known),
    () => objectToRivals(network, known, policy),
    () => objectToImpossible(network, known),
    () => objectInIsolation(transaction),
    () => objectToLockTime(transaction, from),
  ])
}

function objectToEntry(network: Network, entry: PoolEntry, policy: AdmissionPolicy): Objection {
  const { known, spent, fee } = entry
  const from = viewOf(network)
  return firstObjection([
    () => objectToImmature(spent, from),
    () => objectToAmounts(known.transaction, spent),
    () => objectToAges(known.transaction, spent, from),
    () => objectToFeerate(network, entry, policy),
    () => objectToCovenantIds(known.transaction, spent),
    () => network.state.judge.verified.object(known, spent),
    () => objectToStorageMass(known.transaction.mass),
    () => objectToInputs(known, spent),
    () => objectToFee(known, fee),
  ])
}

function objectToRivals(network: Network, known: KnownTransaction, policy: AdmissionPolicy): Objection {
  const rivals = rivalsOf(network, known)
  if (policy.rival === 'refuse') return rivals.length === 0 ? undefined : nameRival(network, known)
  if (rivals.length === 1) return undefined
  return rivals.length === 0
    ? 'replace by fee found no double spending transaction in the mempool'
    : 'replace by fee found more than one double spending transaction in the mempool'
}

function nameRival({ mempool: { pool } }: Network, { transaction }: KnownTransaction): Objection {
  for (const { previousOutpoint } of transaction.inputs) {
    const rival = pool.spenderOf(previousOutpoint)
    if (rival !== undefined)
      return `output ${nameOutpoint(previousOutpoint)} already spent by transaction ${rival} in the mempool`
  }
  return undefined
}

/** Transactions in the mempool that spend a coin of this one. */
function rivalsOf({ mempool: { pool } }: Network, { transaction }: KnownTransaction): readonly PoolEntry[] {
  const ids = transaction.inputs.map(({ previousOutpoint }) => pool.spenderOf(previousOutpoint))
  return [...new Set(ids)].flatMap((id) => (id === undefined ? [] : (pool.find(id) ?? [])))
}

function objectToFeerate(network: Network, entry: PoolEntry, { rival }: AdmissionPolicy): Objection {
  if (rival === 'refuse') return undefined
  return rivalsOf(network, entry.known).every(({ feerate }) => entry.feerate > feerate)
    ? undefined
    : 'fee rate per contextual mass gram is not greater than the fee rate of the replaced transaction'
}

/** The parent is in the mempool and has no such output. */
function objectToImpossible({ mempool: { pool } }: Network, { transaction }: KnownTransaction): Objection {
  const isImpossible = transaction.inputs.some(({ previousOutpoint: { transactionId, index } }) => {
    const parent = pool.find(transactionId)
    return parent !== undefined && index >= parent.known.transaction.outputs.length
  })
  return isImpossible
    ? 'at least one outpoint of the transaction is impossible to have a matching UTXO entry'
    : undefined
}

function objectToOrphan(network: Network, known: KnownTransaction, policy: AdmissionPolicy): Objection {
  return policy.missingCoin === 'refuse'
    ? `transaction ${known.id} is an orphan where orphan is disallowed`
    : network.mempool.orphans.object(known)
}

/** The coins that a transaction spends, those of the mempool included; undefined where one is missing. */
export function findSpent(network: Network, { transaction }: KnownTransaction): readonly UtxoEntry[] | undefined {
  const { state, mempool } = network
  const { addresses } = state.judge
  const spent = transaction.inputs.map(({ previousOutpoint }) => {
    const parent = mempool.pool.find(previousOutpoint.transactionId)
    return parent === undefined
      ? state.coins.get(previousOutpoint)
      : coinOf(parent.known, previousOutpoint.index, UNACCEPTED_DAA_SCORE, addresses)
  })
  return spent.every((entry) => entry !== undefined) ? spent : undefined
}

const viewOf = ({ state }: Network): PointOfView => ({
  ...state.virtual.context,
  coinbaseMaturity: state.judge.coinbaseMaturity,
})
