import { toScriptPublicKey } from '../../model/address.js'
import type { UtxoEntry } from '../../model/utxo.js'
import { balanceOf, type ExpectedBalance } from './balance.js'
import { acceptedIds } from './records/events.js'
import type { Network } from './network.js'
import { transfersOf, type ExpectedTransfer } from './transfers.js'

/** The expected state of a client, read from the current ledger at each call. */
export interface Expected {
  /** The UTXO set of virtual, of all addresses by default. */
  utxos(addresses?: readonly string[]): readonly UtxoEntry[]
  /** Balances in the order of `addresses`. */
  balances(addresses: readonly string[]): readonly ExpectedBalance[]
  /** Accepted transaction ids of each chain block, from genesis to sink. */
  accepted(): readonly { readonly acceptingBlockHash: string; readonly acceptedTransactionIds: readonly string[] }[]
  /**
   * Credits and debits of the chain from genesis to sink in the order of acceptance, of all addresses by default.
   * Genesis UTXOs are not among them. A transaction in the sink is accepted by the next chain block, although `utxos`
   * has its outputs already.
   */
  transfers(addresses?: readonly string[]): readonly ExpectedTransfer[]
  /** Ids in the mempool, without orphans. */
  mempool(): readonly string[]
  /** Chain blocks from genesis to sink. */
  chain(): readonly string[]
  /** Every block of the DAG in insertion order, genesis first. */
  blocks(): readonly string[]
  virtualDaaScore(): bigint
}

export const createExpected = (network: () => Network): Expected => ({
  utxos: (addresses) => {
    const { utxos } = network().state
    if (addresses === undefined) return [...utxos.all()]
    return addresses.flatMap((address) => [...utxos.ofScript(toScriptPublicKey(address, 'address'))])
  },
  accepted: () => {
    const { state } = network()
    return state.chain.slice(0).map((hash) => acceptedIds(state, hash))
  },
  transfers: (addresses) => {
    const watched = addresses === undefined ? undefined : new Set(addresses)
    const isWatched = ({ address }: ExpectedTransfer) => watched === undefined || watched.has(address ?? '')
    return [...transfersOf(network())].filter(isWatched)
  },
  mempool: () => [...network().mempool.pool.entries()].map(({ known }) => known.id),
  balances: (addresses) => addresses.map((address) => balanceOf(network(), address)),
  chain: () => network().state.chain.slice(0),
  blocks: () => [...network().state.dag.blocks()].map(({ hash }) => hash),
  virtualDaaScore: () => network().state.virtual.context.daaScore,
})
