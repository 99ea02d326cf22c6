import type { Transaction } from '../../../model/transaction.js'
import type { Network } from '../network.js'
import { know, type KnownTransaction } from '../transaction.js'
import { objectBeforeCoins, objectToEntry, objectToFields } from './objections.js'
import type { PoolEntry } from './pool.js'
import { rivalsOf, type RivalPolicy } from './rivals.js'
import { findSpent } from './spent.js'
import { weigh } from './weigh.js'

/** What is done about a rival in the mempool, and about a coin that nobody knows. */
export interface AdmissionPolicy {
  readonly rival: RivalPolicy
  readonly missingCoin: 'refuse' | 'keep as orphan'
}

export type Admission =
  | { readonly kind: 'admitted'; readonly id: string; readonly replaced: KnownTransaction | undefined }
  | { readonly kind: 'orphaned'; readonly id: string }
  /** In the node's words, whole. */
  | { readonly kind: 'refused'; readonly message: string }

/** Judges a transaction as the node does on `submitTransaction`, and takes it in where nothing is wrong. */
export function admit(network: Network, transaction: Transaction, policy: AdmissionPolicy): Admission {
  const unreadable = objectToFields(transaction)
  if (unreadable !== undefined) return { kind: 'refused', message: unreadable }
  const known = know(transaction)
  const early = objectBeforeCoins(network, known, policy.rival)
  if (early !== undefined) return refuse(known, early)
  const spent = findSpent(network, known)
  if (spent === undefined) return admitOrphan(network, known, policy)
  const entry = weigh(known, spent)
  const late = objectToEntry(network, entry, policy.rival)
  return late === undefined ? enter(network, entry) : refuse(known, late)
}

/** Orphans that wait for a transaction have a parent now: they are judged anew, and dropped where they are no good. */
export function adoptOrphans(network: Network, parent: KnownTransaction): void {
  for (const orphan of network.mempool.orphans.childrenOf(parent)) {
    if (findSpent(network, orphan) === undefined) continue
    network.mempool.orphans.remove(orphan.id)
    admit(network, orphan.transaction, { rival: 'refuse', missingCoin: 'refuse' })
  }
}

const refuse = ({ id }: KnownTransaction, reason: string): Admission => ({
  kind: 'refused',
  message: `Rejected transaction ${id}: ${reason}`,
})

function admitOrphan({ mempool }: Network, known: KnownTransaction, { missingCoin }: AdmissionPolicy): Admission {
  if (missingCoin === 'refuse') return refuse(known, `transaction ${known.id} is an orphan where orphan is disallowed`)
  const objection = mempool.orphans.object(known)
  if (objection !== undefined) return refuse(known, objection)
  mempool.orphans.add(known)
  return { kind: 'orphaned', id: known.id }
}

function enter(network: Network, entry: PoolEntry): Admission {
  const { pool } = network.mempool
  const [rival] = rivalsOf(network, entry.known)
  if (rival !== undefined) pool.removeWithDescendants(rival.known.id)
  pool.add(entry)
  adoptOrphans(network, entry.known)
  return { kind: 'admitted', id: entry.known.id, replaced: rival?.known }
}
